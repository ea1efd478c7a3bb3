/**
 * Brings context cards up to date, account by account. Of each account a pass takes a bounded part, so that an account with
 * much to do does not hold up the others. Several processes may do so at once: they take different work.
 */
import type { ContextCardAccountsStore } from '../../stores/postgres/context-cards/accounts.store.ts';
import { eachOf } from '../async.ts';
import { buildPlace } from './build.ts';
import type { ContextCardObserver, SummaryEnd } from './observer.ts';
import { summarise, type SummaryDependencies } from './summaries.ts';

export interface ContextCardReport {
  /** Places that were built, whether or not they had changed. */
  readonly built: number;
  readonly written: number;
  readonly removed: number;
  readonly summaries: number;
  /** Places and summaries that are left to a later attempt. */
  readonly failed: number;
}

export interface CardBuilderOptions extends SummaryDependencies {
  readonly accounts: Pick<ContextCardAccountsStore, 'waiting'>;
  /** Told of each place, summary or account that failed. */
  readonly onFailure: (error: unknown) => void;
  readonly observer?: ContextCardObserver;
}

export interface CardBuilder {
  /** Builds what is due, in all accounts. Throws only when the accounts cannot be asked for. */
  build(signal: AbortSignal): Promise<ContextCardReport>;
  /** Has summaries written that are due. Apart from building, because models take their time. */
  summarise(signal: AbortSignal): Promise<ContextCardReport>;
}

type Counts = { -readonly [name in keyof ContextCardReport]: number };

const ACCOUNTS_PER_PAGE = 100;
/** Accounts at a time. */
const IN_FLIGHT = 4;
/** Folds of one account in a pass, of 2,000 marks each. */
const FOLDS_PER_TURN = 5;
/** Places of one account in a pass. */
const PLACES_PER_TURN = 100;
/** Summaries of one account in a pass, and at a time. */
const SUMMARIES_PER_TURN = 16;
const SUMMARIES_IN_FLIGHT = 4;
/** The longest that one query may take. */
const QUERY_TIMEOUT_MS = 10_000;

const nothing = (): Counts => ({ built: 0, written: 0, removed: 0, summaries: 0, failed: 0 });

/** One turn of an account: what was marked becomes work, and due work is built, each place in a transaction of its own. */
async function buildOf(
  { gateway, inAccount, now, observer, onFailure }: CardBuilderOptions,
  accountId: string,
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  const limits = { statementTimeoutMs: QUERY_TIMEOUT_MS, signal };
  const within = <T>(work: Parameters<typeof inAccount<T>>[1]): Promise<T> =>
    inAccount(accountId, work, limits);
  for (let folds = 0; folds < FOLDS_PER_TURN; folds += 1) {
    if ((await within(({ contextCardWork }) => contextCardWork.fold())) === 0) break;
  }
  const due = await within(({ contextCardWork }) => contextCardWork.take(PLACES_PER_TURN));
  const summarises = gateway.describe().dream_reasoner.provider !== 'none';
  for (const work of due) {
    signal.throwIfAborted();
    const since = performance.now();
    try {
      const done = await within(async (stores) => {
        if (!(await stores.contextCardWork.lock(work))) return { written: 0, removed: 0 };
        const report = await buildPlace(stores, {
          place: work,
          at: now().toISOString(),
          summarises,
        });
        await stores.contextCardWork.end(work);
        return report;
      });
      counts.built += 1;
      counts.written += done.written;
      counts.removed += done.removed;
      observer?.built({ kind: work.kind, ...done, durationMs: performance.now() - since });
    } catch (error) {
      if (signal.aborted) throw error;
      observer?.buildFailed(work.kind);
      counts.failed += 1;
      onFailure(error);
    }
  }
}

async function summariesOf(
  options: CardBuilderOptions,
  accountId: string,
  counts: Counts,
  signal: AbortSignal,
): Promise<void> {
  const waiting = await options.inAccount(accountId, ({ contextCards }) =>
    contextCards.takeSummaries(SUMMARIES_PER_TURN),
  );
  await eachOf(waiting, SUMMARIES_IN_FLIGHT, async (each) => {
    if (signal.aborted) return;
    const since = performance.now();
    let end: SummaryEnd;
    try {
      end = await summarise(options, accountId, each, signal);
    } catch (error) {
      if (signal.aborted) return;
      end = 'failed';
      options.onFailure(error);
    }
    if (end === 'kept') counts.summaries += 1;
    if (end === 'failed') counts.failed += 1;
    options.observer?.summarised({ kind: each.kind, end, durationMs: performance.now() - since });
  });
}

/** A builder on the stores. Call passes of the same kind one after another. */
export function createCardBuilder(options: CardBuilderOptions): CardBuilder {
  const pass =
    (turn: typeof buildOf) =>
    async (signal: AbortSignal): Promise<ContextCardReport> => {
      const counts = nothing();
      for (let afterId: string | null = null; ;) {
        const accountIds = await options.accounts.waiting(afterId, ACCOUNTS_PER_PAGE);
        await eachOf(accountIds, IN_FLIGHT, async (accountId) => {
          if (signal.aborted) return;
          try {
            await turn(options, accountId, counts, signal);
          } catch (error) {
            if (signal.aborted) return;
            counts.failed += 1;
            options.observer?.turnFailed();
            options.onFailure(error);
          }
        });
        afterId = accountIds.at(-1) ?? null;
        if (afterId === null || signal.aborted) return counts;
      }
    };
  return { build: pass(buildOf), summarise: pass(summariesOf) };
}
