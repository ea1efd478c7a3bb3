/**
 * Builds the collection of the configured embedder beside those that are kept, and switches: from then on every process of
 * that embedder reads it. Accounts take turns page by page. The progress is the collection itself, so a run that was ended
 * in any way is followed by one that writes what is lacking.
 */
import { pause } from '../../async.ts';
import { failureStatus, isErrorClass } from '../../../domain/error-class.ts';
import { IndexFailure } from '../../../domain/retrieval/index-failure.ts';
import { UNIT_KINDS, type UnitKind } from '../../../domain/retrieval/units.ts';
import type { MarkedUnit } from '../../../stores/postgres/indexes/dirty-marks.store.ts';
import {
  added,
  fillUnits,
  FillStopped,
  NOTHING_FILLED,
  type FillCounts,
  type FillDependencies,
} from './fill.ts';

export interface MigrationProgress extends FillCounts {
  readonly accounts: number;
  /** Accounts with nothing left to look at. */
  readonly accountsDone: number;
  /** Units of all accounts, when the run began. */
  readonly total: number;
}

export interface MigrationOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: MigrationProgress) => void;
}

export interface SpaceMigration extends MigrationProgress {
  readonly switched: boolean;
  /** Why it ended early; null when nothing did. */
  readonly stopped: FillStopped['errorClass'] | null;
}

export interface MigrationDependencies extends FillDependencies {
  readonly accountIds: () => Promise<readonly string[]>;
  /** The processes of this embedder read the collection from now on. */
  readonly switchOver: () => Promise<void>;
  /** Milliseconds to wait before each further try after a failure that passes; the usual ones unless given. */
  readonly waitsMs?: readonly number[] | undefined;
}

const PAGE = 256;
const AWAITING_PAGE = 256;
/** Looks for units that came while the collection was filled and that processes of another embedder wrote. */
const MOST_ROUNDS = 5;
/** Two minutes in all: a provider that limits the rate asks for less, and the circuit of one that fails opens for less. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000];

/** Runs `work` again after a failure that may pass. Throws the last one. */
async function patiently<T>(
  { waitsMs = WAITS_MS }: MigrationDependencies,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const stopped = stoppedBy(error);
      const wait = waitsMs[tries];
      if (stopped === null || wait === undefined || !mayPass(stopped.errorClass)) throw error;
      await pause(wait, signal);
      signal.throwIfAborted();
    }
  }
}

function stoppedBy(error: unknown): FillStopped | null {
  if (error instanceof FillStopped) return error;
  return error instanceof IndexFailure ? new FillStopped(`index_${error.reason}`) : null;
}

function mayPass(errorClass: FillStopped['errorClass']): boolean {
  return !isErrorClass(errorClass) || failureStatus(errorClass) === 'failed';
}

/** Pages of all units of an account, kind by kind, in the order of their ids. */
async function* pagesOf(
  { inAccount }: MigrationDependencies,
  accountId: string,
): AsyncGenerator<readonly MarkedUnit[]> {
  for (const unit of UNIT_KINDS) {
    let afterId: string | null = null;
    for (;;) {
      const asked: { scopeIds: null; afterId: string | null; limit: number } = {
        scopeIds: null,
        afterId,
        limit: PAGE,
      };
      const page: MarkedUnit[] = await inAccount(accountId, ({ units }) => units.page(unit, asked));
      if (page.length > 0) yield page;
      if (page.length < PAGE) break;
      afterId = page.at(-1)?.unitId ?? null;
    }
  }
}

/** An account that is being walked over. */
interface Walked {
  readonly accountId: string;
  readonly pages: AsyncGenerator<readonly MarkedUnit[]>;
  /** The page that failed, to be tried again. */
  page: readonly MarkedUnit[] | null;
  tries: number;
  /** Not before this time in milliseconds (`performance.now`). */
  waitsUntil: number;
}

/** Puts the account off after a failure that may pass; throws when it has been put off often enough. */
function putOff({ waitsMs = WAITS_MS }: MigrationDependencies, walked: Walked, error: unknown) {
  const wait = waitsMs[walked.tries];
  const stopped = stoppedBy(error);
  if (stopped === null || wait === undefined || !mayPass(stopped.errorClass)) throw error;
  walked.tries += 1;
  walked.waitsUntil = performance.now() + wait;
}

/** Fills in one page of the account. `done`: it has no more pages; `put_off`: it failed, and is to be tried again. */
async function step(
  dependencies: MigrationDependencies,
  walked: Walked,
  signal: AbortSignal,
): Promise<FillCounts | 'done' | 'put_off'> {
  const next = walked.page === null ? await walked.pages.next() : { value: walked.page };
  if (next.done === true) return 'done';
  walked.page = next.value;
  try {
    const filled = await fillUnits(dependencies, walked.accountId, next.value, signal);
    Object.assign(walked, { page: null, tries: 0 });
    return filled;
  } catch (error) {
    putOff(dependencies, walked, error);
    return 'put_off';
  }
}

/**
 * Fills the collection with the units of all accounts, a page of each in turn. An account whose calls fail keeps no other
 * from its turn. Throws the first failure that does not pass.
 */
async function walk(
  dependencies: MigrationDependencies,
  accountIds: readonly string[],
  start: MigrationProgress,
  { signal, onProgress }: MigrationOptions,
): Promise<void> {
  let progress = start;
  const open = new Set(
    accountIds.map((accountId): Walked => {
      const pages = pagesOf(dependencies, accountId);
      return { accountId, pages, page: null, tries: 0, waitsUntil: 0 };
    }),
  );
  while (open.size > 0) {
    const until = Math.min(...Array.from(open, ({ waitsUntil }) => waitsUntil));
    await pause(Math.max(0, until - performance.now()), signal);
    for (const walked of open) {
      signal.throwIfAborted();
      if (walked.waitsUntil > performance.now()) continue;
      const done = await step(dependencies, walked, signal);
      if (done === 'put_off') continue;
      if (done === 'done') {
        open.delete(walked);
        progress = { ...progress, accountsDone: progress.accountsDone + 1 };
      } else progress = { ...progress, ...added(progress, done) };
      onProgress(progress);
    }
  }
}

/** Gives vectors to units of the account that await one; answers how many it found. */
async function catchUpAccount(
  dependencies: MigrationDependencies,
  accountId: string,
  signal: AbortSignal,
): Promise<number> {
  let found = 0;
  let from: string | null = null;
  do {
    signal.throwIfAborted();
    const page: Awaited<ReturnType<FillDependencies['shown']['awaiting']>> =
      await dependencies.shown.awaiting(accountId, from, AWAITING_PAGE);
    found += page.units.length;
    for (const unit of UNIT_KINDS) {
      const placed = await placesOf(dependencies, accountId, unit, page.units);
      await fillUnits(dependencies, accountId, placed, signal);
    }
    from = page.next;
  } while (from !== null);
  return found;
}

function placesOf(
  { inAccount }: MigrationDependencies,
  accountId: string,
  unit: UnitKind,
  units: readonly { readonly unit: UnitKind; readonly unitId: string }[],
): Promise<readonly MarkedUnit[]> {
  const ids = units.filter((each) => each.unit === unit).map(({ unitId }) => unitId);
  return inAccount(accountId, (stores) => stores.units.place(unit, ids));
}

/** Looks for units without their vector until there are none, or no fewer than before. */
async function catchUp(dependencies: MigrationDependencies, signal: AbortSignal): Promise<void> {
  let before = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    let found = 0;
    for (const accountId of await dependencies.accountIds()) {
      found += await patiently(dependencies, signal, () =>
        catchUpAccount(dependencies, accountId, signal),
      );
    }
    if (found === 0 || found >= before) return;
    before = found;
  }
}

async function totalOf(
  { inAccount }: MigrationDependencies,
  accountIds: readonly string[],
): Promise<number> {
  let total = 0;
  for (const accountId of accountIds) {
    total += await inAccount(accountId, ({ spaceWalk }) => spaceWalk.total());
  }
  return total;
}

/**
 * Fills the collection, switches, and looks once more for what came in between. An embedder or a Qdrant that fails ends it
 * early, and another run goes on. Throws the signal's reason, and what Postgres throws.
 */
export async function migrateSpace(
  dependencies: MigrationDependencies,
  { signal, onProgress }: MigrationOptions,
): Promise<SpaceMigration> {
  const accountIds = await dependencies.accountIds();
  const total = await totalOf(dependencies, accountIds);
  let progress: MigrationProgress = {
    ...NOTHING_FILLED,
    accounts: accountIds.length,
    accountsDone: 0,
    total,
  };
  const watched = (latest: MigrationProgress): void => {
    progress = latest;
    onProgress(latest);
  };
  let switched = false;
  try {
    await walk(dependencies, accountIds, progress, { signal, onProgress: watched });
    await catchUp(dependencies, signal);
    await dependencies.switchOver();
    switched = true;
    await catchUp(dependencies, signal);
    return { ...progress, switched, stopped: null };
  } catch (error) {
    const stopped = stoppedBy(error);
    if (stopped === null) throw error;
    return { ...progress, switched, stopped: stopped.errorClass };
  }
}
