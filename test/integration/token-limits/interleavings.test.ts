/**
 * Daily token limits against any interleaving: 32 callers of four processes that succeed, fail, time out, report nothing,
 * are killed before or after they have sent, and a midnight in between. A provider stands for what was let through. In
 * one order the ledger lets through exactly what a plain count says; in all orders no limit is passed but by what is
 * never refused, and nothing stays reserved.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ModelFailure } from '../../../domain/error-class.ts';
import type { ModelRole } from '../../../domain/models/roles.ts';
import type { TokenLimits } from '../../../domain/models/token-limits.ts';
import { ReconcileStore } from '../../../stores/postgres/reconcile/reconcile.store.ts';
import { onOneDay } from '../../support/one-day.ts';
import { SERVERS_MS } from '../../support/patience.ts';
import { sized } from '../../support/run.ts';
import { call, ended, LimitsScene, type Worst } from './scene.ts';

const RUNS = sized({ short: 6, long: 100 });
const CALLERS = 32;
const LOST = { olderThanMs: 0, limit: 1_000 } as const;
const NEVER_REFUSED: ReadonlySet<ModelRole> = new Set(['embedder', 'reranker']);

let scene: LimitsScene;
beforeAll(async () => {
  scene = await LimitsScene.open();
});
afterAll(() => scene.database.close());

const role = fc.constantFrom<ModelRole>(
  'ingest_extractor',
  'ingest_extractor',
  'dialectic_agent',
  'dream_reasoner',
  'embedder',
  'reranker',
);
const caller = fc.record({
  role,
  worst: fc.integer({ min: 0, max: 30 }),
  /** Of its worst case; the providers of some report nothing, and some processes are killed. */
  end: fc.constantFrom('success', 'error', 'timeout', 'unmetered', 'killed', 'killed unsent'),
  used: fc.integer({ min: 0, max: 100 }),
  isMidnight: fc.constantFrom(false, false, false, false, false, false, false, true),
});
type Caller = typeof caller extends fc.Arbitrary<infer C> ? C : never;
const limit = fc.option(fc.integer({ min: 0, max: 250 }), { nil: undefined, freq: 3 });
const limits = fc
  .record({ all: limit, extractor: limit, dream: limit, embedder: limit })
  .map(({ all, extractor, dream, embedder }): TokenLimits => ({
    ...(all === undefined ? {} : { '*': { input_tokens: all } }),
    ...(extractor === undefined ? {} : { ingest_extractor: { input_tokens: extractor } }),
    ...(dream === undefined ? {} : { dream_reasoner: { input_tokens: dream } }),
    ...(embedder === undefined ? {} : { embedder: { input_tokens: embedder } }),
  }));
const callers = fc.array(caller, { minLength: CALLERS, maxLength: CALLERS });

const worstOf = ({ role, worst, end }: Caller): Worst => ({
  role,
  input: worst,
  dispatch: end !== 'killed unsent',
});
const spent = ({ worst, used }: Caller): number => Math.floor((worst * used) / 100);
/** What it counts as once everything has ended. */
function counted(it: Caller): number {
  if (it.end === 'killed unsent') return 0;
  return it.end === 'unmetered' || it.end === 'killed' ? it.worst : spent(it);
}

type Ledger = ReturnType<LimitsScene['ledger']>;

async function finish(ledger: Ledger, accountId: string, id: string, it: Caller): Promise<void> {
  if (it.end === 'killed' || it.end === 'killed unsent') return;
  const status = it.end === 'unmetered' ? 'error' : it.end;
  const isMetered = it.end === 'success' || it.end === 'error';
  const tokens = isMetered || it.end === 'timeout' ? { inputTokens: spent(it) } : null;
  await ledger.finish(id, ended(status, tokens), accountId);
}

/** The row id, or null for a refusal. */
async function tried(ledger: Ledger, accountId: string, it: Caller): Promise<string | null> {
  try {
    return (await ledger.reserve(call(accountId, worstOf(it)))).id;
  } catch (error) {
    if (error instanceof ModelFailure && error.errorClass === 'token_budget_exhausted') return null;
    throw error;
  }
}

/** A day as a person would count it. */
class PlainDay {
  readonly #limits: TokenLimits;
  readonly #taken = new Map<string, number>();
  constructor(of: TokenLimits) {
    this.#limits = of;
  }
  #isLimited(of: ModelRole): boolean {
    return this.#limits['*'] !== undefined || this.#limits[of] !== undefined;
  }
  add(of: ModelRole, tokens: number): void {
    if (!this.#isLimited(of)) return;
    for (const key of ['*', of]) this.#taken.set(key, this.taken(key) + tokens);
  }
  taken(key: string): number {
    return this.#taken.get(key) ?? 0;
  }
  fits({ role: of, worst }: Caller): boolean {
    if (worst === 0 || NEVER_REFUSED.has(of)) return true;
    const all = this.#limits['*']?.input_tokens ?? Number.POSITIVE_INFINITY;
    const own = this.#limits[of]?.input_tokens ?? Number.POSITIVE_INFINITY;
    const most = of === 'dream_reasoner' ? (all * 4) / 5 : all;
    return this.taken('*') + worst <= most && this.taken(of) + worst <= own;
  }
}

test(
  'in one order the provider receives exactly the calls that fit',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        limits,
        callers,
        onOneDay(async (given, all) => {
          const accountId = await scene.account();
          const processes = [scene.ledger(given), scene.ledger(given)];
          let day = new PlainDay(given);
          const open: { readonly id: string; readonly it: Caller }[] = [];
          for (const [turn, it] of all.entries()) {
            const ledger = processes[turn % processes.length] ?? scene.ledger(given);
            if (it.isMidnight) {
              await scene.midnight(accountId);
              day = new PlainDay(given);
              open.length = 0;
            }
            const fits = day.fits(it);
            const id = await tried(ledger, accountId, it);
            expect(id !== null).toBe(fits);
            if (id === null) continue;
            day.add(it.role, it.worst);
            open.push({ id, it });
            // Every third call ends the oldest one that is open.
            const oldest = turn % 3 === 2 ? open.shift() : undefined;
            if (oldest === undefined) continue;
            await finish(ledger, accountId, oldest.id, oldest.it);
            if (!oldest.it.end.startsWith('killed')) {
              day.add(oldest.it.role, counted(oldest.it) - oldest.it.worst);
            }
          }
        }),
      ),
      { numRuns: RUNS },
    );
  },
  SERVERS_MS,
);

test(
  'in any order no limit is passed but by what is never refused, and nothing stays reserved',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        limits,
        callers,
        onOneDay(async (given, all) => {
          const accountId = await scene.account();
          const processes = Array.from({ length: 4 }, () => scene.ledger(given));
          const received: Caller[] = [];
          await Promise.all(
            all.map(async (it, turn) => {
              const ledger = processes[turn % processes.length] ?? scene.ledger(given);
              const id = await tried(ledger, accountId, it);
              if (id === null) return;
              received.push(it);
              await finish(ledger, accountId, id, it);
            }),
          );
          await new ReconcileStore(scene.database.pool).closeAttempts(accountId, LOST);
          const rows = await scene.day(accountId);
          expect(rows.flatMap(({ reserved }) => reserved).every((tokens) => tokens === 0)).toBe(
            true,
          );
          const plain = new PlainDay(given);
          for (const it of received) plain.add(it.role, counted(it));
          for (const { role: of, used } of rows)
            expect([of, used[0]]).toEqual([of, plain.taken(of)]);
          const isRefusable = (it: Caller): boolean => !NEVER_REFUSED.has(it.role);
          const within = (most: number | undefined, of: (it: Caller) => boolean): void => {
            const sum = received.filter((it) => isRefusable(it) && of(it)).map(counted);
            if (most !== undefined)
              expect(sum.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(most);
          };
          within(given['*']?.input_tokens, () => true);
          within(given.ingest_extractor?.input_tokens, (it) => it.role === 'ingest_extractor');
          within(given.dream_reasoner?.input_tokens, (it) => it.role === 'dream_reasoner');
        }),
      ),
      { numRuns: RUNS },
    );
  },
  SERVERS_MS,
);

test(
  'of many equal calls at once exactly as many are let through as fit',
  onOneDay(async () => {
    const accountId = await scene.account();
    const given = { '*': { input_tokens: 107 } };
    const processes = Array.from({ length: 8 }, () => scene.ledger(given));
    const tries = await Promise.allSettled(
      processes.flatMap((ledger) =>
        Array.from({ length: 4 }, () => ledger.reserve(call(accountId, { input: 10 }))),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  }),
);

test(
  'calls that end, calls that begin and calls that are closed lock in one order and never each other',
  onOneDay(async () => {
    const accountId = await scene.account();
    const given = { '*': { input_tokens: 1_000_000 } };
    const processes = Array.from({ length: 6 }, () => scene.ledger(given));
    const reconcile = new ReconcileStore(scene.database.pool);
    const over = new AbortController();
    const closing = (async () => {
      while (!over.signal.aborted) await reconcile.closeAttempts(accountId, LOST);
    })();
    await Promise.all(
      processes.map(async (ledger) => {
        for (let turn = 0; turn < 25; turn += 1) {
          const of = (n: number): Worst => ({
            role: n % 2 === 0 ? 'ingest_extractor' : 'dialectic_agent',
            input: 1,
          });
          const begun = await Promise.all(
            [0, 1, 2, 3].map((n) => ledger.reserve(call(accountId, of(n)))),
          );
          await Promise.all([
            ...begun.map(({ id }) =>
              ledger.finish(id, ended('success', { inputTokens: 1 }), accountId),
            ),
            ledger.reserve(call(accountId, of(turn))),
          ]);
        }
      }),
    );
    over.abort();
    await closing;
    await reconcile.closeAttempts(accountId, LOST);
    expect((await scene.day(accountId))[0]).toEqual({
      role: '*',
      used: [6 * 25 * 5, 0, 0],
      reserved: [0, 0, 0],
    });
  }),
);
