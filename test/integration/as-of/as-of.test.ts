/**
 * Reading the past obeys its law in SQL, in both indexes and in every strategy of the search: whatever happened to
 * statements, each reader reads of an instant what it read then, without what was redacted, erased or made stricter since
 * and with what it has submitted since.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import { PROFILES } from '../../../domain/retrieval/strategies.ts';
import { execute } from '../../../operations/execute.ts';
import { search } from '../../../operations/retrieval/search.ts';
import { buildRetrieval, type Retrieval } from '../../../runtime/container/retrieval.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { SEED, sized } from '../../support/run.ts';
import { SHARDS } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { readingContext, searchDependencies } from '../search/scene.ts';
import {
  endOf,
  expectedAt,
  recordInstant,
  shownOf,
  type Instant,
  type Reason,
  type Shown,
} from './law.ts';
import { asOfToday, watchersOf, type Watcher } from './readers.ts';
import { EVERY_PART, Tale, tales, type Happening } from './tale.ts';

const RUNS = sized({ short: 4, long: 30 });
const STEPS = 10;
/** Instants of a history that are searched as well; SQL is asked of all. */
const SEARCHED = 3;
/** Every statement of the histories has one of the names. */
const EVERY_WORD = 'alice bob tea boat oslo rome bergen';

const prefix = `a${randomBytes(5).toString('hex')}`;
let scene: Scene;
let retrieval: Retrieval;

beforeAll(async () => {
  scene = await Scene.open();
  retrieval = buildRetrieval(searchDependencies(scene.pool, prefix));
  await retrieval.ensureIndexes();
});
afterAll(async () => {
  await dropIndexes(prefix);
  await scene.close();
});

const told = new Map<string, number>();
const count = (what: string): void => void told.set(what, (told.get(what) ?? 0) + 1);

const sorted = (rows: ReadonlyMap<string, Partial<Shown>>) =>
  [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));

async function refresh(accountId: string): Promise<void> {
  const { signal } = new AbortController();
  for (const shard of SHARDS) {
    for (let due: number | null = 0; due !== null;) {
      const report = await retrieval.indexer.refresh({ accountId, shard, limit: 200, signal });
      due = report.nextDueInMs;
    }
  }
}

interface Question {
  readonly accountId: string;
  readonly scopeIds: readonly string[];
  readonly ids: readonly string[];
  readonly at: string;
}

const ranked = (
  rows: readonly { id: string; confidence: number; relevant_from?: string | null | undefined }[],
) =>
  new Map(
    rows.map(
      ({ confidence, id, relevant_from = null }) => [id, { confidence, relevant_from }] as const,
    ),
  );

/** What the stores read of the instant: rows to show, candidates to rank, and the blank search. */
async function readBySql({ accountId, at, ids, scopeIds }: Question, { reader }: Watcher) {
  const visible = visibleByDefault({ scopeIds, reader, at });
  const reads = { reader, scopeIds };
  const read = {
    ...reads,
    accountId,
    visible,
    asOf: at,
    withText: true,
    sourceMessageId: null,
  };
  return createInAccount(scene.pool)(accountId, async (stores) => {
    const shown = await stores.knowledge.read({
      selection: { by: 'ids', ids },
      visible,
      reader: reads,
      asOf: at,
    });
    return {
      shown: new Map(shown.map((row) => [row.id, shownOf(row)])),
      candidates: ranked((await stores.candidates.read(ids, read)).statements),
      salient: ranked(await stores.candidates.salient(at, 100, read)),
    };
  });
}

/** What a search answers, for every profile and for every way to ask: the rows, by what was asked. */
async function searched({ at }: Question, { caller, peerKey }: Watcher) {
  const settings = { minimalRecall: true };
  const dependencies = searchDependencies(scene.pool, prefix);
  const answers: { asked: string; rows: ReadonlyMap<string, Shown> }[] = [];
  for (const profile of PROFILES) {
    for (const query of ['', EVERY_WORD, `${EVERY_WORD} -submarine`]) {
      // Without the strategy that reads by salience nothing answers a blank query.
      if (query === '' && (profile === 'balanced' || profile === 'minimal')) continue;
      const context = readingContext(dependencies, retrieval, caller, settings);
      const asked = { query, profile, as_of: at, scope_path: '/team', limit: 100 };
      const answer = await execute(search, context, { ...asked, peer_key: peerKey });
      expect(answer.dropped_strategies).toEqual([]);
      for (const name of answer.contributed_strategies) count(name);
      const rows = new Map(answer.candidates.map((row) => [row.id, row as unknown as Shown]));
      answers.push({ asked: `${profile}: ${query}`, rows });
    }
  }
  return answers;
}

/** Of the values of the instant, those that a search shows as well. */
function asFound(rows: ReadonlyMap<string, Shown>) {
  return sorted(
    new Map(
      [...rows].map(([id, row]) => {
        const { target_level: _, ...found } = shownOf(row);
        return [id, found] as const;
      }),
    ),
  );
}

async function compare(
  history: readonly Happening[],
  instants: readonly Instant[],
  place: Pick<Question, 'accountId' | 'scopeIds'> & { readonly watchers: readonly Watcher[] },
): Promise<void> {
  const { accountId, scopeIds } = place;
  const end = await endOf(scene, accountId);
  const peers = await scene.rows(
    'select id from peers where account_id = $1 and erasing_at is null',
    [accountId],
  );
  const present = new Set(peers.map(({ id }) => String(id)));
  const left = place.watchers.filter(({ peerIds }) => peerIds.every((id) => present.has(id)));
  const watchers = await Promise.all(left.map((one) => asOfToday(scene, accountId, one)));
  for (const [index, instant] of instants.entries()) {
    const { at } = instant;
    const question: Question = { accountId, scopeIds, ids: [...end.statements.keys()], at };
    for (const watcher of watchers) {
      const { reasons, rows } = expectedAt(instant, watcher, end);
      for (const reason of reasons) count(reason);
      const which = [history, index, watcher.name];
      const { candidates, salient, shown } = await readBySql(question, watcher);
      expect([which, sorted(shown)]).toEqual([which, sorted(rows)]);
      const toRank = ranked([...rows].map(([id, row]) => ({ id, ...row })));
      expect([which, sorted(candidates)]).toEqual([which, sorted(toRank)]);
      expect([which, sorted(salient)]).toEqual([which, sorted(toRank)]);
      if (index % Math.ceil(instants.length / SEARCHED) !== 0) continue;
      for (const { asked, rows: found } of await searched(question, watcher)) {
        expect([which, asked, asFound(found)]).toEqual([which, asked, asFound(rows)]);
      }
    }
  }
}

const REASONS: readonly Reason[] = [
  'as then',
  'gone',
  'too sensitive',
  'submitted since',
  'named since',
  'named no more',
  'never',
];

test(
  `of every instant of ${RUNS} histories (seed ${SEED}) each reader reads what the law says, in every way to read`,
  async () => {
    await fc.assert(
      fc.asyncProperty(tales(STEPS), async (history) => {
        const tale = await Tale.begin(scene);
        const { accountId } = tale;
        const { scopeIds, watchers } = await watchersOf(scene, accountId);
        const instants: Instant[] = [];
        for (const happening of history) {
          await tale.goOn(happening);
          // An instant of whole milliseconds is to lie between two steps.
          await sleep(2);
          instants.push(await recordInstant(scene, accountId, watchers, scopeIds));
          await sleep(2);
        }
        await refresh(accountId);
        await compare(history, instants, { accountId, scopeIds, watchers });
      }),
      { numRuns: RUNS, endOnFailure: true, examples: [[EVERY_PART]] },
    );
    // Histories in which one part of the law, or one strategy, had nothing to say would not prove it.
    const parts = [...REASONS, 'semantic', 'lexical', 'temporal', 'salience_recency'];
    expect(parts.filter((part) => !told.has(part))).toEqual([]);
  },
  100_000 + RUNS * 30_000,
);
