/**
 * The predicate's SQL form over every statement that can be, with its history: one row for each, and for each reader and view
 * one query that must find exactly the rows of the matrix's judge, today and as of an instant in the past.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  aboutSubject,
  visibleByDefault,
  visibleInLineage,
  visibleInState,
  visibleToReadiness,
  type ChainReader,
  type Condition,
} from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import {
  EXPIRED,
  HISTORIES,
  idAt,
  THEN,
  valuesBefore,
  type StatementFact,
} from '../../contract/matrix/plan.ts';
import { idOf, Rows, type Place } from '../../contract/matrix/row-set.ts';
import { addKnowledge, addPeriods, addScopes, addSubmitters } from '../../contract/matrix/rows.ts';
import { aspectsFor } from '../../contract/matrix/shown.ts';
import { combinations, DIMENSIONS, mayExist } from '../../contract/matrix/statements/cells.ts';
import {
  inLineage,
  isBelieved,
  isInReadiness,
  isListed,
  isOwn,
} from '../../contract/matrix/statements/judge.ts';
import type { Cell } from '../../contract/matrix/table.ts';
import { SCOPES, type ReadScope } from '../../contract/matrix/world.ts';
import { Scene } from '../observations/scene.ts';

const ROWS = 32_712;
const WRITTEN_AT_ONCE = 3_000;
const [READER, OTHER, CALLER] = ['reader', 'other', 'caller'];
const PLACES: Readonly<Record<string, string>> = {
  'in the chain': SCOPES.ancestor,
  curated: SCOPES.own,
  elsewhere: SCOPES.sibling,
};

const AUDIENCES: Readonly<Record<string, readonly string[]>> = {
  'to the reader': [READER],
  'to others': [OTHER],
};

/** Its cells, with what it was before, and over or not. */
const ALL = {
  ...DIMENSIONS,
  history: HISTORIES,
  expiry: ['never', 'over'],
} as const;

function factOf(cell: Cell, nth: number): StatementFact {
  const { history = '', level = '', place = '', sensitivity = '', state = '' } = cell;
  const now = { state, path: PLACES[place] ?? '', sensitivity, level };
  const speaker = cell['submitter'] === 'reader' ? READER : OTHER;
  const audience = AUDIENCES[cell['addressed'] ?? ''];
  const message = {
    id: '',
    path: now.path,
    relay: 'relay',
    recordedAt: THEN,
    isChunk: false,
    ...(audience === undefined ? {} : { audience }),
  };
  return {
    id: idAt(9, nth),
    text: `Statement number ${nth}.`,
    now,
    before: valuesBefore(history, now),
    expiresAt: cell['expiry'] === 'over' ? EXPIRED : null,
    subject: cell['subject'] === 'scope' ? null : cell['subject'] === 'reader' ? READER : OTHER,
    message: { ...message, speaker },
    isPlain: false,
    isUnserved: cell['served'] === 'no',
  };
}

const FACTS: readonly StatementFact[] = [...combinations<Record<string, string>>(ALL)]
  .filter((cell) => mayExist(cell as unknown as Parameters<typeof mayExist>[0]))
  // Of statements with an audience one history is enough: what follows from the others, they share.
  .filter(({ addressed, history }) => addressed === 'to all' || history === 'placed before')
  // The same of what is not served, which is never withdrawn at the same time.
  .filter(
    ({ addressed, history, served, state }) =>
      served === 'yes' ||
      (addressed === 'to all' &&
        history === 'placed before' &&
        state !== 'redacted' &&
        state !== 'retracted'),
  )
  .map(factOf);

let scene: Scene;
let accountId: string;
let place: Place;

async function writeScopes(): Promise<ReadonlyMap<string, string>> {
  const root = "select id from scopes where account_id = $1 and path = '/'";
  const [found] = await scene.rows(root, [accountId]);
  const rows = new Rows(accountId);
  const ids = addScopes(rows, String(found?.['id']));
  await rows.write((query, values) => scene.rows(query, values));
  return ids;
}

beforeAll(async () => {
  scene = await Scene.open();
  accountId = await scene.account();
  const peerIds = new Map<string, string>();
  for (const key of [READER, OTHER, CALLER, 'relay']) {
    const { peerId } = await scene.caller(accountId, { key });
    peerIds.set(key, peerId ?? '');
  }
  const scopeIds = await writeScopes();
  place = {
    accountId,
    credentialIds: new Map(),
    scopeIds,
    peerIds,
    sessionIds: new Map(),
  };
  for (let from = 0; from < FACTS.length; from += WRITTEN_AT_ONCE) {
    const rows = new Rows(accountId);
    for (const fact of FACTS.slice(from, from + WRITTEN_AT_ONCE)) {
      addKnowledge(rows, place, fact);
      addPeriods(rows, place, fact);
      addSubmitters(rows, place, fact);
    }
    await rows.write((query, values) => scene.rows(query, values));
  }
  await scene.rows('analyze');
}, 300_000);
afterAll(() => scene.close());

interface Reading {
  readonly reader: ChainReader;
  readonly chain: readonly ReadScope[];
}

/** As a peer that curates one scope, as nobody in particular, and as a peer that the caller names in the scope it curates. */
function readings(): Readonly<Record<string, Reading>> {
  const asPeer = (key: string) => ({ posture: 'peer', peerId: idOf(place.peerIds, key) }) as const;
  const chain = (above: string | null, curated: string | null, isCurated: boolean): ReadScope[] => [
    { path: SCOPES.ancestor, reader: above, isCurated: false },
    { path: SCOPES.own, reader: curated, isCurated },
  ];
  return {
    'a peer': { reader: asPeer(READER), chain: chain(READER, READER, true) },
    nobody: { reader: { posture: 'public_only' }, chain: chain(null, null, false) },
    'a named peer': {
      reader: {
        posture: 'named',
        named: asPeer(READER),
        otherwise: asPeer(CALLER),
        scopeIds: [idOf(place.scopeIds, SCOPES.own)],
      },
      chain: chain(CALLER, READER, false),
    },
  };
}

interface View {
  readonly name: string;
  readonly visible: Condition;
  readonly asOf: string | null;
  readonly isShown: (found: Cell) => boolean;
}

function viewsOf({ chain, reader }: Reading): readonly View[] {
  const ids = (scopes: readonly ReadScope[]) =>
    scopes.map(({ path }) => idOf(place.scopeIds, path));
  const at = new Date().toISOString();
  const query = { scopeIds: ids(chain), reader, at };
  const curated = ids(chain.filter(({ isCurated }) => isCurated));
  const { authorised, shown } = visibleInLineage(query);
  const own = idOf(place.peerIds, READER);
  return [
    {
      name: 'believed then',
      visible: visibleByDefault({ ...query, at: THEN }),
      asOf: THEN,
      isShown: isBelieved,
    },
    {
      name: 'in lineage',
      visible: { all: [authorised, shown] },
      asOf: null,
      isShown: (found) => inLineage(found) === 'visible',
    },
    {
      name: 'in readiness',
      visible: visibleToReadiness(query),
      asOf: null,
      isShown: isInReadiness,
    },
    ...KNOWLEDGE_STATES.map((state) => ({
      name: `listed as ${state}`,
      visible: visibleInState(state, query, curated),
      asOf: null,
      isShown: (found: Cell) => isListed(found, state),
    })),
    ...(reader.posture === 'peer'
      ? [
          {
            name: 'own record',
            visible: aboutSubject(own, 'listed'),
            asOf: null,
            isShown: (found: Cell) => isOwn({ ...found, reader: 'peer' }),
          },
        ]
      : []),
  ];
}

/** The statements in the words of the matrix, for messages of failures. */
const described = (ids: readonly string[]): string[] =>
  FACTS.filter(({ id }) => ids.includes(id))
    .slice(0, 3)
    .map(({ before, expiresAt, now, subject }) =>
      JSON.stringify({ now, before, expiresAt, subject }),
    );

async function compare(reading: Reading, view: View): Promise<{ shown: number; faults: string[] }> {
  const rows = await createInAccount(scene.pool)(accountId, (stores) =>
    stores.knowledge.read({
      selection: { by: 'ids', ids: FACTS.map(({ id }) => id) },
      visible: view.visible,
      reader: { reader: reading.reader, scopeIds: [] },
      asOf: view.asOf,
    }),
  );
  const found = new Set(rows.map(({ id }) => id));
  // The subject's record is of all scopes: where it does not stand in the chain, only its subject and state decide.
  const isEverywhere = view.name === 'own record';
  const chain = isEverywhere
    ? Object.values(PLACES).map((path) => ({ path, reader: READER ?? null, isCurated: false }))
    : reading.chain;
  const expected = new Set(
    FACTS.filter((fact) => {
      const aspects = aspectsFor(fact, chain, view.asOf === null ? 'now' : 'then');
      return aspects !== null && view.isShown(aspects);
    }).map(({ id }) => id),
  );
  const wrong = [...found].filter((id) => !expected.has(id));
  const missing = [...expected].filter((id) => !found.has(id));
  return {
    shown: found.size,
    faults: [
      ...described(wrong).map((each) => `shown: ${each}`),
      ...described(missing).map((each) => `hidden: ${each}`),
    ],
  };
}

test('the rows are as many as there are statements that can be', () => {
  expect(FACTS).toHaveLength(ROWS);
});

test.each(['a peer', 'nobody', 'a named peer'])(
  'as %s the SQL form finds in every view exactly what the judge lets it find',
  async (who) => {
    const reading = readings()[who];
    if (reading === undefined) throw new Error('no such reader');
    const silent: string[] = [];
    for (const view of viewsOf(reading)) {
      const { faults, shown } = await compare(reading, view);
      expect({ view: view.name, faults }).toEqual({ view: view.name, faults: [] });
      if (shown === 0) silent.push(view.name);
    }
    const never = ['redacted', 'retracted'];
    const forSubmitters = ['proposed', 'provisional', 'held', 'contested', 'rejected'];
    const nothing = who === 'nobody' ? [...forSubmitters, ...never] : never;
    expect(silent.toSorted()).toEqual(nothing.map((state) => `listed as ${state}`).toSorted());
  },
  300_000,
);
