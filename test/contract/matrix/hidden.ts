/**
 * Hidden equals missing: places that hold what a reader may not see, each beside one that lacks it, and everything that is
 * asked of both. Who may see it, and of what an empty search may speak, the judge of statements says.
 */
import { SENSITIVITIES } from '../../../domain/statements/candidate.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { eachOf } from '../../../engine/async.ts';
import type { HttpAnswer } from '../../support/http.ts';
import { eventually } from '../../support/patience.ts';
import { sized } from '../../support/run.ts';
import { dataOf, type Body } from '../../support/service.ts';
import { withoutClock, withoutTimes } from '../answers.ts';
import { covering, pairwise, product } from './cover.ts';
import { EXPIRED, idAt, THEN, valuesBefore, type StatementFact } from './plan.ts';
import { type Place, type Rows } from './row-set.ts';
import { addMessage, addPlaces, addStatement } from './rows.ts';
import type { MatrixScene } from './scene.ts';
import { aspectsFor } from './shown.ts';
import { isBelieved, isListed, isSpokenOf } from './statements/judge.ts';
import type { Cell } from './table.ts';
import { emailOf, holds, identityOf, type IdentityName } from './world.ts';

/** Readers who neither said nor passed on what is hidden, and are not its subject. */
const READERS: readonly IdentityName[] = [
  'a reader',
  'a machine without a peer',
  'a member',
  'an administrator',
];
const SUBMITTER: IdentityName = 'an agent';
const AT_ONCE = 6;
const KIND = 17;
const IDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Scopes have names of one length. */
const pathAt = (nth: number): string => `/h${String(nth).padStart(3, '0')}`;

interface Pair {
  readonly full: string;
  readonly without: string;
  readonly hidden: StatementFact;
}

function factAt(nth: number, path: string, text: string, cell: Cell): StatementFact {
  const { expiry, history = 'new', sensitivity = '', state = '' } = cell;
  const now = { state, path, sensitivity, level: 'peer' };
  const message = { path, speaker: emailOf('denied'), relay: 'relay', isChunk: false };
  return {
    id: idAt(KIND, nth),
    text,
    now,
    before: valuesBefore(history, now),
    expiresAt: expiry === 'over' ? EXPIRED : null,
    subject: emailOf('stranger'),
    message: { ...message, id: idAt(KIND + 1, nth), recordedAt: '2026-01-05T00:00:00Z' },
    isPlain: false,
  };
}

/** Nothing was ever said here. */
const EMPTY = pathAt(0);
const HIDDEN_TEXT = 'Somebody keeps a walrus in the stable.';
const SEEN_TEXT = 'Somebody saw a walrus at the zoo.';

const DIMENSIONS = {
  state: KNOWLEDGE_STATES,
  sensitivity: SENSITIVITIES,
  history: ['new', 'waited before', 'placed before'],
  expiry: ['never', 'over'],
};
/** What can be hidden. In the short run every value once, and every state of what is internal. */
const OBJECTS = sized({
  short: () =>
    covering(product(DIMENSIONS), (cell) => [
      ...(cell['sensitivity'] === 'internal' ? [`internal ${cell['state']}`] : []),
      ...Object.entries(cell).map((value) => value.join(' ')),
    ]),
  long: () => pairwise(DIMENSIONS),
})();
/** What waits for a person, and is internal all the same: the one thing of which a search may speak, until it is over. */
const GOSSIP = { state: 'provisional', sensitivity: 'internal' };
const NEAR_GOSSIP: readonly Cell[] = [
  { ...GOSSIP, expiry: 'over' },
  { ...GOSSIP, state: 'rejected', history: 'waited before' },
  { ...GOSSIP, state: 'superseded', history: 'waited before' },
];

const pairAt = (nth: number, cell: Cell): Pair => ({
  full: pathAt(nth),
  without: EMPTY,
  hidden: factAt(nth, pathAt(nth), HIDDEN_TEXT, cell),
});

/** The statement that a search may speak of. */
const SPOKEN = pairAt(1, GOSSIP);
const PAIRS: readonly Pair[] = [
  SPOKEN,
  ...[...NEAR_GOSSIP, ...OBJECTS].map((cell, nth) => pairAt(nth + 2, cell)),
];
/** The same where all readers see another statement with its word, in both places. */
const BESIDE: Pair = { ...pairAt(901, GOSSIP), without: pathAt(900) };
const SEEN = [900, 901].map((nth) =>
  factAt(nth + 10, pathAt(nth), SEEN_TEXT, { state: 'active', sensitivity: 'internal' }),
);

/** A scope that its reader is denied, with something in it, and one without. */
export const DENIED = { full: '/h800', without: '/h801', below: '/secret' } as const;
const UNICORN = factAt(800, DENIED.full + DENIED.below, 'Somebody hides a unicorn.', {
  state: 'active',
  sensitivity: 'internal',
});

/** Adds them all; nobody but who speaks is there for what is said. */
export function addHidden(rows: Rows, place: Place): void {
  const facts = [...[...PAIRS, BESIDE].map(({ hidden }) => hidden), ...SEEN, UNICORN];
  const below = [DENIED.full, DENIED.without].map((path) => path + DENIED.below);
  const paths = [EMPTY, DENIED.full, DENIED.without, ...below, ...facts.map(({ now }) => now.path)];
  const there = addPlaces(rows, place, [...new Set(paths)], { kind: KIND + 2, name: 'hidden' });
  for (const fact of facts) {
    addMessage(rows, there, fact.message, { content: `I said that: ${fact.text}` });
    addStatement(rows, there, fact);
  }
}

/** What is asked of a place, and what of a believed statement it may tell. */
interface Question {
  readonly path: string;
  readonly json?: Body;
  /** Whether free words of it occur in what is hidden. */
  readonly hasWord?: boolean;
  readonly shows: (found: Cell) => boolean;
}

const never = (): boolean => false;

const searched = (json: Body, hasWord: boolean): Question => ({
  path: 'search',
  json: { profile: 'thorough', ...json },
  hasWord,
  shows: isBelieved,
});

/** Its own words in an order, or as the only ones that may not occur, say nothing of it; nor do words that it lacks. */
const SILENT = [
  '',
  'submarine',
  '-submarine',
  '"submarine engine"',
  '"walrus"',
  '-walrus',
  '"walrus in the stable"',
  '"somebody keeps" -"walrus"',
];
const WITH_WORD = [
  'walrus',
  'submarine or walrus',
  'walrus "purple stripes"',
  'walrus -stable',
  'walrus -submarine',
  'walrus "the stable"',
  'walrus "the submarine"',
  'walrus or stable',
];
const FILTERS: readonly Body[] = [
  { source_message_id: SPOKEN.hidden.message.id },
  { source_message_id: idAt(KIND + 1, 999) },
  { provider: 'deterministic' },
  { provider: 'nobody' },
  { minimum_corroboration: 1 },
  { minimum_corroboration: 9 },
];

/** Of the statement that a search may speak of: guesses of its wording, its sources and its extractor. */
const GUESSES: readonly Question[] = [
  ...SILENT.map((query) => searched({ query }, false)),
  ...WITH_WORD.map((query) => searched({ query }, true)),
  ...FILTERS.map((source_filters) => searched({ query: 'walrus', source_filters }, true)),
];
/** Where another statement with the word is seen, whatever else leaves that one out. */
const NARROWED: readonly Question[] = [
  { query: 'walrus' },
  { query: 'walrus zoo walruses stables somebody' },
  { query: 'walrus "the stable"' },
  { query: 'walrus -zoo' },
  { query: 'walrus', source_filters: { provider: 'nobody' } },
  { query: 'walrus giraffe', min_score: 1, profile: 'balanced' },
].map((json) => searched(json, false));

const listed = (state: string): Question => ({
  path: `knowledge?state=${state}`,
  shows: (found) => isListed(found, state),
});

/** Of everything that can be hidden: what every reading route tells. */
const readings = ({ hidden: { now } }: Pair): readonly Question[] => [
  searched({ query: 'walrus' }, true),
  searched({ query: 'walrus', as_of: THEN }, true),
  searched({ query: '"walrus in the stable"' }, false),
  listed(now.state),
  listed(now.state === 'active' ? 'provisional' : 'active'),
  {
    path: 'source-search',
    json: { query: 'walrus', mode: 'exact', include_neighbours: true },
    shows: never,
  },
  { path: 'context', json: { query: 'submarine' }, shows: isBelieved },
  { path: 'governance/circles?limit=100', shows: never },
  { path: 'stable-profile', json: {}, shows: never },
  { path: 'ask', json: { question: 'What of the submarine?', effort: 'low' }, shows: isBelieved },
];

async function askedOnce(
  scene: MatrixScene,
  who: IdentityName,
  { json, path }: Question,
  scope: string,
): Promise<HttpAnswer> {
  const { service } = scene;
  const token = scene.tokenOf(who) ?? '';
  if (json === undefined)
    return service.call({ path: `/api/v1/${path}&scope_path=${scope}`, token });
  return service.call({ path: `/api/v1/${path}`, token, json: { scope_path: scope, ...json } });
}

/** On a busy machine a question may run out of its time, and says so: that is nothing of what is hidden. */
const RAN_OUT_OF_TIME = /"exhausted":\[[^\]]*"time"/;

/** The answer that had all its time. */
async function ask(...asked: Parameters<typeof askedOnce>): Promise<HttpAnswer> {
  return eventually(async () => {
    const answer = await askedOnce(...asked);
    return !RAN_OUT_OF_TIME.test(answer.text) && answer;
  });
}

const nameless = (value: unknown, scope: string): string =>
  JSON.stringify(value).replaceAll(scope, '<place>').replaceAll(IDS, 'id');

/** The answer without its place, ids and clock. */
const plainly = (answer: HttpAnswer, scope: string): string =>
  nameless(withoutTimes(answer), scope);

const FILTER = {
  component: 'candidate_filter',
  status: 'completed',
  reason_class: 'authorization_filtered',
  elapsed_ms: 0,
  budget_remaining_ms: 0,
};

/** The answer as if the search had not said that its readers may not see what it found; null when it did not say so. */
function unspoken(answer: HttpAnswer, scope: string): string | null {
  const data = Object(withoutClock(dataOf(answer)));
  const outcomes: readonly unknown[] = data.retrieval_outcomes ?? [];
  const others = outcomes.filter((each) => JSON.stringify(each) !== JSON.stringify(FILTER));
  if (others.length !== outcomes.length - 1 || data.degraded !== true) return null;
  if (String(data.degraded_components) !== FILTER.component) return null;
  const rest = { ...data, retrieval_outcomes: others, degraded: false, degraded_components: [] };
  return nameless(rest, scope);
}

const spoken = (answer: HttpAnswer, scope: string): string =>
  nameless(withoutClock(dataOf(answer)), scope);

interface Asked {
  readonly pair: Pair;
  readonly who: IdentityName;
  readonly question: Question;
}

/** What the judge says of it: shown to the reader, spoken of, or like a missing one. */
function expectedOf({ pair, question, who }: Asked): 'shown' | 'spoken of' | 'missing' {
  const identity = identityOf(who);
  const { peer } = identity;
  const scope = { path: pair.full, reader: peer, isCurated: holds(identity, pair.full, 'curator') };
  const at = question.json?.['as_of'] === THEN ? 'then' : 'now';
  const found = aspectsFor(pair.hidden, [scope], at);
  if (found === null) return 'missing';
  if (question.shows(found)) return 'shown';
  const today = aspectsFor(pair.hidden, [scope]);
  const isSpoken = isSpokenOf(found) && today !== null && isSpokenOf(today);
  return isSpoken && question.hasWord === true ? 'spoken of' : 'missing';
}

function questions(): Asked[] {
  const turns = sized({ short: 1, long: READERS.length });
  const ofEach = PAIRS.flatMap((pair, nth) =>
    readings(pair).flatMap((question, at) =>
      Array.from({ length: turns }, (_, turn) => {
        const who = READERS[(nth + at + turn) % READERS.length] ?? SUBMITTER;
        return { pair, question, who };
      }),
    ),
  );
  return [
    ...GUESSES.flatMap((question) =>
      READERS.slice(0, 2).map((who) => ({ pair: SPOKEN, question, who })),
    ),
    ...NARROWED.map((question) => ({ pair: BESIDE, question, who: 'a reader' as const })),
    ...ofEach,
    // Who said it sees it, or the questions would prove nothing.
    { pair: SPOKEN, question: searched({ query: 'walrus' }, true), who: SUBMITTER },
  ];
}

export interface HiddenReport {
  readonly faults: readonly string[];
  /** How often each thing was to be expected. */
  readonly expected: ReadonlyMap<string, number>;
}

/** Asks everything of both places of each pair. */
export async function askHidden(scene: MatrixScene): Promise<HiddenReport> {
  const faults: string[] = [];
  const expected = new Map<string, number>();
  const ofMissing = new Map<string, Promise<HttpAnswer>>();
  const askOnce = (who: IdentityName, question: Question, scope: string): Promise<HttpAnswer> => {
    const key = JSON.stringify([who, scope, question]);
    const answer = ofMissing.get(key) ?? ask(scene, who, question, scope);
    ofMissing.set(key, answer);
    return answer;
  };
  const compare = async (asked: Asked): Promise<void> => {
    const { pair, question, who } = asked;
    const { full, hidden, without } = pair;
    const [missing, answer] = [
      await askOnce(who, question, without),
      await ask(scene, who, question, full),
    ];
    const outcome = expectedOf(asked);
    expected.set(outcome, (expected.get(outcome) ?? 0) + 1);
    const isRight = {
      shown: () => answer.status === 200 && plainly(answer, full) !== plainly(missing, without),
      'spoken of': () => unspoken(answer, full) === spoken(missing, without),
      missing: () => plainly(answer, full) === plainly(missing, without),
    }[outcome]();
    if (isRight) return;
    const what = JSON.stringify([hidden.now, hidden.before?.state, hidden.expiresAt, question]);
    const [got, to] = [plainly(answer, full), plainly(missing, without)];
    let at = 0;
    while (at < got.length && got[at] === to[at]) at += 1;
    const part = (text: string): string => text.slice(Math.max(0, at - 80), at + 160);
    faults.push(`${who}, ${what}: not ${outcome}: ${part(got)} | ${part(to)}`);
  };
  await eachOf(questions(), AT_ONCE, compare);
  return { faults, expected };
}

/** What the denied member is told of the two scopes, each named alone and among others, and of what stands above, beside and below what it is denied. */
export async function askDenied(
  scene: MatrixScene,
): Promise<readonly (readonly [string, string])[]> {
  const alone = (): Body => ({});
  const amongOthers = (path: string): Body => ({
    scope_path: null,
    scope_paths: [EMPTY, path, pathAt(900)],
  });
  const asked = ['', DENIED.below, '/beside', `${DENIED.below}/deep`].flatMap((below) =>
    [alone, amongOthers].map(async (named) => {
      const tellOf = async (top: string): Promise<string> => {
        const query = searched({ query: 'unicorn', ...named(top + below) }, true);
        return plainly(await ask(scene, 'a denied member', query, top + below), top);
      };
      return [await tellOf(DENIED.full), await tellOf(DENIED.without)] as const;
    }),
  );
  return Promise.all(asked);
}

/** A statement that was spoken of, redacted before any index hears of it; what is told of it and of nothing. */
export async function askRedacted(scene: MatrixScene): Promise<readonly [string, string]> {
  const { full, hidden, without } = SPOKEN;
  await scene.service.home.rewrite(hidden.id, { state: 'redacted' });
  const question = searched({ query: 'walrus' }, true);
  return [
    plainly(await ask(scene, 'a reader', question, full), full),
    plainly(await ask(scene, 'a reader', question, without), without),
  ];
}
