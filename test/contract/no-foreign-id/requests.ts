/** Random reads of every sort, for and against every account. All of a request follows from the seed. */
import * as fc from 'fast-check';
import { KNOWLEDGE_STATES } from '../../../domain/governance/visibility.ts';
import type { HttpCall } from '../../support/http.ts';
import { peersOf, PERSON_NAMES, scopePathsOf, type PersonName } from './people.ts';
import { markOf, ownWordOf, pathOf, THINGS, type SeededAccount } from './seed.ts';

/** A read, with numbers in place of what only the seed knows. */
export interface Asked {
  readonly account: number;
  readonly person: PersonName;
  readonly what: 'search' | 'ask' | 'source-search' | 'knowledge' | 'lineage' | 'stable-profile';
  readonly path: string;
  readonly named: string | null;
  readonly asOf: string | null;
  readonly state: string;
  readonly call: (accounts: readonly SeededAccount[]) => HttpCall;
}

const INSTANTS = ['2026-01-05', '2026-01-25', '2026-03-01T12:00:00Z', '2026-04-10', '2026-09-01'];

interface Aim {
  readonly account: number;
  /** The account that words, ids and names are taken from: mostly the same one. */
  readonly other: number;
}

function word({ account, other }: Aim): fc.Arbitrary<string> {
  const n = fc.nat({ max: 55 });
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...THINGS, 'ana', 'bo', 'cleo', 'lives', 'keeps') },
    { weight: 3, arbitrary: fc.constantFrom(markOf(account), markOf(other)) },
    { weight: 3, arbitrary: n.map((at) => ownWordOf(other, at)) },
    { weight: 1, arbitrary: fc.constantFrom('submarine', 'said', '東京', 'x') },
  );
}

function query(aim: Aim): fc.Arbitrary<string> {
  const one = word(aim);
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant('') },
    {
      weight: 6,
      arbitrary: fc.array(one, { minLength: 1, maxLength: 4 }).map((all) => all.join(' ')),
    },
    { weight: 2, arbitrary: fc.tuple(one, one).map(([a, b]) => `${a} -${b}`) },
    { weight: 2, arbitrary: fc.tuple(one, one).map(([a, b]) => `"${a}" or ${b}`) },
    { weight: 1, arbitrary: fc.tuple(one, one).map(([a, b]) => `"${a} ${b}"`) },
    { weight: 1, arbitrary: one.map((a) => `-${a}`) },
  );
}

function path({ account, other }: Aim): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...scopePathsOf(account)) },
    { weight: 2, arbitrary: fc.constantFrom(...scopePathsOf(other)) },
    { weight: 1, arbitrary: fc.constantFrom('/a/1/none', '/b/none/deep', '/poc') },
  );
}

const named = ({ account, other }: Aim): fc.Arbitrary<string | null> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 4, arbitrary: fc.constantFrom(...peersOf(account)) },
    { weight: 1, arbitrary: fc.constantFrom(...peersOf(other)) },
  );

const asOf = fc.oneof(
  { weight: 5, arbitrary: fc.constant(null) },
  { weight: 5, arbitrary: fc.constantFrom(...INSTANTS) },
);
const limit = fc.constantFrom(undefined, 1, 5, 100);

type Ids = 'statementIds' | 'messageIds';
const idOf = (accounts: readonly SeededAccount[], account: number, which: Ids, nth: number) => {
  const ids = accounts[account]?.[which] ?? [];
  return ids[nth % ids.length];
};

type Common = Pick<Asked, 'account' | 'person' | 'path' | 'named'>;
type Made = Omit<Asked, keyof Common> & Partial<Pick<Asked, 'path'>>;

function post(
  accounts: readonly SeededAccount[],
  { account, named: peer, path: scope, person }: Common,
  route: string,
  body: Readonly<Record<string, unknown>>,
): HttpCall {
  const json = { scope_path: scope, peer_key: peer, ...body };
  return { path: `/api/v1/${route}`, token: accounts[account]?.tokens[person] ?? '', json };
}

function searches(aim: Aim, common: Common): fc.Arbitrary<Made> {
  return fc
    .record({
      text: query(aim),
      at: asOf,
      limit,
      profile: fc.constantFrom('fast', 'balanced', 'thorough'),
      minimum: fc.constantFrom(null, null, null, 0.2),
      source: fc.oneof(
        { weight: 8, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.nat({ max: 55 }) },
      ),
      include_identity_profile: fc.boolean(),
    })
    .map(({ at, minimum, source, text, ...fields }) => ({
      what: 'search',
      asOf: at,
      state: 'active',
      call: (accounts) =>
        post(accounts, common, 'search', {
          ...fields,
          query: text,
          as_of: at,
          min_score: minimum,
          source_filters:
            source === null
              ? null
              : { source_message_id: idOf(accounts, aim.other, 'messageIds', source) },
        }),
    }));
}

/** With and without a recall, and with everything that a recall may read. */
function asks(aim: Aim, common: Common): fc.Arbitrary<Made> {
  return fc
    .record({
      question: query(aim).map((text) => (text === '' ? 'What is kept?' : text)),
      at: asOf,
      limit,
      effort: fc.constantFrom(null, 'low', 'medium', 'high'),
      include_source_recall: fc.boolean(),
      include_identity_profile: fc.boolean(),
    })
    .map(({ at, ...fields }) => ({
      what: 'ask',
      asOf: at,
      state: 'active',
      call: (accounts) => post(accounts, common, 'ask', { ...fields, as_of: at }),
    }));
}

function listings(aim: Aim, common: Common): fc.Arbitrary<Made> {
  return fc
    .record({
      state: fc.oneof(fc.constant('active'), fc.constantFrom(...KNOWLEDGE_STATES)),
      limit,
      cursor: fc.nat({ max: 200 }),
    })
    .map(({ cursor, limit: most, state }) => ({
      what: 'knowledge',
      asOf: null,
      state,
      call: (accounts) => {
        const { account, named: peer, path: scope, person } = common;
        const asked = new URLSearchParams({ scope_path: scope, state });
        if (peer !== null) asked.set('peer_key', peer);
        if (most !== undefined) asked.set('limit', String(most));
        // A place in the list of another account, which anybody can make up.
        const id = idOf(accounts, aim.other, 'statementIds', cursor);
        const place = [1, '2026-02-01T00:00:00.000000Z', id];
        const text = Buffer.from(JSON.stringify(place)).toString('base64url');
        if (cursor < 40) asked.set('cursor', text);
        const token = accounts[account]?.tokens[person] ?? '';
        return { path: `/api/v1/knowledge?${asked.toString()}`, token };
      },
    }));
}

/** Mostly at the scope where the target stands: elsewhere most targets are not found. */
function lineages(aim: Aim, common: Common): fc.Arbitrary<Made> {
  return fc
    .record({
      nth: fc.nat({ max: 55 }),
      type: fc.constantFrom('knowledge', 'knowledge', 'message'),
      max_depth: fc.constantFrom(undefined, 0, 8),
      isElsewhere: fc.nat({ max: 3 }),
    })
    .map(({ isElsewhere, nth, type, ...fields }) => {
      const own = isElsewhere === 0 ? common.path : pathOf(aim.other, nth);
      return {
        what: 'lineage',
        asOf: null,
        state: 'active',
        path: own,
        call: (accounts) => {
          const ids = type === 'message' ? 'messageIds' : 'statementIds';
          const target_id = idOf(accounts, aim.other, ids, nth);
          const body = { ...fields, target_type: type, target_id };
          return post(accounts, { ...common, path: own }, 'lineage', body);
        },
      };
    });
}

function profiles(_aim: Aim, common: Common): fc.Arbitrary<Made> {
  return fc.constant({
    what: 'stable-profile',
    asOf: null,
    state: 'active',
    call: (accounts: readonly SeededAccount[]) => post(accounts, common, 'stable-profile', {}),
  } as const);
}

/** By all words of a query, its operators included; by meaning nobody's words count. */
function sourceSearches(aim: Aim, common: Common): fc.Arbitrary<Made> {
  return fc
    .record({
      query: query(aim),
      limit,
      mode: fc.constantFrom('exact', 'semantic', 'full_text'),
      excerpt_chars: fc.constantFrom(undefined, 80, 2_000),
    })
    .map((fields) => ({
      what: 'source-search',
      asOf: null,
      state: 'active',
      call: (accounts) => post(accounts, common, 'source-search', fields),
    }));
}

/** A further route that reads is a further line. */
const ROUTES = [
  { weight: 12, of: searches },
  { weight: 5, of: asks },
  { weight: 4, of: sourceSearches },
  { weight: 4, of: listings },
  { weight: 6, of: lineages },
  { weight: 3, of: profiles },
] as const;

export function requests(accounts: number): fc.Arbitrary<Asked> {
  const any = fc.nat({ max: accounts - 1 });
  return fc
    .record({ account: any, other: any, isOwn: fc.nat({ max: 2 }) })
    .map(({ account, isOwn, other }): Aim => ({ account, other: isOwn > 0 ? account : other }))
    .chain((aim) =>
      fc
        .record({ person: fc.constantFrom(...PERSON_NAMES), path: path(aim), named: named(aim) })
        .map((values): Common => ({ account: aim.account, ...values }))
        .chain((common) =>
          fc
            .oneof(...ROUTES.map(({ of, weight }) => ({ weight, arbitrary: of(aim, common) })))
            .map((made): Asked => ({ ...common, ...made })),
        ),
    );
}
