/**
 * After random histories both indexes let each reader find what the predicate's SQL form shows: for today exactly that,
 * and for a past instant no more than statements that would pass with one of the values they ever had.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  visibleByDefault,
  visibleInState,
  type ChainReader,
  type Condition,
} from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { membershipsOf } from '../../../operations/access/memberships.ts';
import { peerReader } from '../../../operations/access/own-reader.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { sized } from '../../support/run.ts';
import { path, Scene } from '../observations/scene.ts';
import { mayPass, openIndexes, type Facts, type Indexes } from './indexed.ts';
import { History } from './histories.ts';
import { EVERY_AUDIENCE, steps } from './steps.ts';

const RUNS = sized({ short: 4, long: 30 });
const STEPS = 14;

let scene: Scene;
let indexes: Indexes;
beforeAll(async () => {
  scene = await Scene.open();
  indexes = await openIndexes(scene.pool, `r${randomBytes(5).toString('hex')}`);
});
afterAll(async () => {
  await indexes?.close();
  await scene.close();
});

interface View {
  readonly name: string;
  readonly visible: Condition;
  readonly reader: ChainReader;
  readonly asOf: string | null;
}

/** Every reader, what retrieval shows by default and each state that can be named, now and at the instants. */
async function viewsOf(accountId: string, instants: readonly string[]): Promise<View[]> {
  const peers = await scene.rows('select id from peers where account_id = $1', [accountId]);
  // As a read asks the indexes: by what each peer is in the scopes, too.
  const { asPeers, scopeIds } = await createInAccount(scene.pool)(accountId, async (stores) => {
    // Those of the histories.
    const scopes = await stores.scopes.find([path('/'), path('/team')]);
    const found = [];
    for (const { id } of peers) {
      const peerId = String(id);
      found.push(peerReader(peerId, await membershipsOf(stores, peerId, scopes, null)));
    }
    return { asPeers: found, scopeIds: scopes.map((scope) => scope.id) };
  });
  const [first, second] = asPeers;
  if (first === undefined || second === undefined) throw new Error('everybody is in the account');
  const readers: readonly (readonly [string, ChainReader])[] = [
    ['nobody', { posture: 'public_only' }],
    ...asPeers.map((reader, at) => [`peer ${at}`, reader] as const),
    [
      'one who names another in one scope',
      { posture: 'named', named: first, scopeIds: scopeIds.slice(0, 1), otherwise: second },
    ],
  ];
  const now = new Date().toISOString();
  return readers.flatMap(([who, reader]) => {
    const byDefault = (at: string) => visibleByDefault({ scopeIds, reader, at });
    const named = KNOWLEDGE_STATES.map((state) => ({
      name: `${who}, ${state}`,
      visible: visibleInState(state, { scopeIds, reader, at: now }, scopeIds.slice(0, 1)),
      reader,
      asOf: null,
    }));
    return [
      { name: who, visible: byDefault(now), reader, asOf: null },
      ...named,
      ...instants.map((asOf) => ({
        name: `${who} as of ${asOf}`,
        visible: byDefault(asOf),
        reader,
        asOf,
      })),
    ];
  });
}

async function shownBySql(
  accountId: string,
  { asOf, reader, visible }: View,
  all: readonly Facts[],
) {
  const rows = await createInAccount(scene.pool)(accountId, (stores) =>
    stores.knowledge.read({
      selection: { by: 'ids', ids: all.map(({ id }) => id) },
      visible,
      reader: { reader, scopeIds: [] },
      asOf,
    }),
  );
  return new Set(rows.map(({ id }) => id));
}

async function compareAll(accountId: string, instants: readonly string[]): Promise<number> {
  const all = await indexes.factsOf(scene, accountId);
  let shown = 0;
  for (const view of await viewsOf(accountId, instants)) {
    const bySql = await shownBySql(accountId, view, all);
    // Withdrawn statements are in no index.
    const inIndexes = all.filter(({ isWithdrawn }) => !isWithdrawn);
    const hull = inIndexes.filter((facts) => mayPass(view, facts)).map(({ id }) => id);
    const found = await indexes.find(accountId, view);
    expect([view.name, found.qdrant, found.meilisearch]).toEqual([
      view.name,
      hull.toSorted(),
      hull.toSorted(),
    ]);
    const missed = [...bySql].filter((id) => !hull.includes(id));
    const more = view.asOf === null ? hull.filter((id) => !bySql.has(id)) : [];
    expect([view.name, missed, more]).toEqual([view.name, [], []]);
    shown += bySql.size;
  }
  return shown;
}

test(
  'whatever happened to statements, both indexes let through what each reader may read',
  async () => {
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: STEPS, maxLength: STEPS }), async (history) => {
        const told = await History.begin(scene);
        const instants: string[] = [];
        for (const [at, step] of history.entries()) {
          await told.do(step);
          if (at % 5 !== 4) continue;
          await sleep(5);
          instants.push(new Date().toISOString());
          await sleep(5);
        }
        await indexes.refresh(told.accountId);
        expect(await indexes.drift(told.accountId)).toEqual([]);
        shown += await compareAll(told.accountId, instants);
      }),
      { numRuns: RUNS, endOnFailure: true, examples: [[[...EVERY_AUDIENCE]]] },
    );
    // Histories in which nobody reads anything would prove nothing.
    expect(shown).toBeGreaterThan(RUNS);
  },
  100_000 + RUNS * 20_000,
);
