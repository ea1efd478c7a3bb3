/**
 * What readiness counts across all accounts. Everything goes through the counting functions of the lookup
 * role, which return numbers and words of closed lists only.
 */
import { INDEX_NAMES } from '../../domain/retrieval/index-failure.ts';
import { ITEM_KINDS } from '../../domain/governance/items.ts';
import { SWEEP_KINDS, type SweepKind } from '../../domain/governance/sweeps.ts';
import { sql } from 'slonik';
import { z } from 'zod';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { RUN_KINDS } from '../../domain/pipeline/run-kinds.ts';
import { PoolStore } from './pool-store.ts';

/**
 * Most units of a kind that readiness and metrics count, those that wait longest first: past it a number means "at
 * least". The probe is public, and the work that waits for people grows with the history of all accounts.
 */
const MOST_COUNTED = 10_000;
/** Most calls to providers that are counted in the window asked for, the latest first. */
export const MOST_CALLS_COUNTED = 100_000;
/** Most accounts of which the oldest unsealed audit event, or change for context cards, is looked up. */
const MOST_ACCOUNTS_LOOKED_AT = 1_000;

const count = z.number().int().min(0);
/** The database's ages may be negative for what is due in the future. */
const ageSeconds = z
  .number()
  .int()
  .transform((seconds) => Math.max(0, seconds));

const anchorRow = z.object({
  status: z.enum(['pending', 'failed']),
  held: z.boolean(),
  due: z.boolean(),
  total: count,
  oldest_age_seconds: ageSeconds,
});
export type AnchorCount = z.output<typeof anchorRow>;

const markRow = z.object({
  engine: z.enum(INDEX_NAMES),
  unit: z.enum(['message', 'statement']),
  overdue: z.boolean(),
  total: count,
  oldest_age_seconds: ageSeconds,
});
export type MarkCount = z.output<typeof markRow>;

const runRow = z.object({
  kind: z.enum(RUN_KINDS),
  status: z.enum(['pending', 'running', 'failed', 'discarded']),
  total: count,
  oldest_age_seconds: ageSeconds,
});
export type RunCount = z.output<typeof runRow>;

export const attemptRow = z.object({
  state: z.enum(['reserved', 'dispatched', 'success', 'error', 'timeout', 'cancelled']),
  metered: z.boolean(),
  error_class: z.enum(ERROR_CLASSES).nullable(),
  total: count,
});
export type AttemptCount = z.output<typeof attemptRow>;

const governanceRow = z.object({
  pending_human_reviews: count,
  restricted_withheld: count,
  unattended: z.boolean(),
});
export type GovernanceCounts = z.output<typeof governanceRow>;

const overdueRow = z.object({
  kind: z.enum(ITEM_KINDS),
  total: count,
  oldest_overdue_seconds: ageSeconds,
});
export type OverdueReviews = z.output<typeof overdueRow>;

const passRow = z.object({
  kind: z.enum([...SWEEP_KINDS, 'retention']),
  completed_at: z.string().nullable(),
  failed_accounts: count,
  waited_seconds: ageSeconds,
});
type PassRow = z.output<typeof passRow>;
const setAsideRow = z.object({ set_aside: count });

export interface SweepPass {
  /** ISO 8601 UTC; null before the first. */
  readonly completedAt: string | null;
  /** Since then; before the first, since the installation. */
  readonly waitedSeconds: number;
}

/** The last pass of the retention over all accounts. */
export interface LastRetention extends SweepPass {
  /** Accounts that it did not go over to the end. */
  readonly failedAccounts: number;
}

export interface LastSweeps {
  readonly passes: Readonly<Record<SweepKind, SweepPass>>;
  readonly failedAccounts: number;
  /** Statements that were set aside. */
  readonly setAside: number;
}

/** What counts where the table lacks a kind: a pass that never was. */
const NO_PASS: LastRetention = {
  completedAt: null,
  waitedSeconds: Number.MAX_SAFE_INTEGER,
  failedAccounts: 0,
};

function passOf(rows: readonly PassRow[], kind: PassRow['kind']): LastRetention {
  const row = rows.find((each) => each.kind === kind);
  if (row === undefined) return NO_PASS;
  return {
    completedAt: row.completed_at,
    waitedSeconds: row.waited_seconds,
    failedAccounts: row.failed_accounts,
  };
}

/** Counts over all accounts. */
export class ReadinessStore extends PoolStore {
  /** One round trip that touches no table. */
  async ping(): Promise<void> {
    await this.db.one(sql.type(z.object({ alive: z.number() }))`select 1 as alive`);
  }

  /** Extraction anchors that are not finished. */
  anchors(): Promise<readonly AnchorCount[]> {
    return this.db.any(sql.type(anchorRow)`
      select status, claimed as held, due, total, oldest_age_seconds from count_extraction_anchors(${MOST_COUNTED})`);
  }

  /** Units that an engine does not show yet. */
  marks(): Promise<readonly MarkCount[]> {
    return this.db.any(sql.type(markRow)`
      select engine, unit, overdue, total, oldest_age_seconds from count_dirty_marks(${MOST_COUNTED})`);
  }

  /** Pipeline runs that are not finished. A discarded one waits to be replayed; a cancelled one has ended. */
  runs(): Promise<readonly RunCount[]> {
    return this.db.any(sql.type(runRow)`
      select kind, status, total, oldest_age_seconds from count_unfinished_runs(${MOST_COUNTED})`);
  }

  /** Provider attempts reserved at or after `since`. */
  attempts(since: Date): Promise<readonly AttemptCount[]> {
    return this.db.any(sql.type(attemptRow)`
      select state, metered, error_class, total
      from count_provider_attempts(${since.toISOString()}::timestamptz, ${MOST_CALLS_COUNTED})`);
  }

  /** Seconds since the oldest audit event that is not sealed, in the first accounts that have one; 0 without any. */
  unsealedAuditSeconds(): Promise<number> {
    return this.db.oneFirst(sql.type(z.object({ seconds: ageSeconds }))`
      select coalesce(floor(extract(epoch from clock_timestamp() - min(unsealed_since))), 0)::integer as seconds
      from lookup_unsealed_accounts(null, false, ${MOST_ACCOUNTS_LOOKED_AT})`);
  }

  /** Seconds since the oldest change that is not built into context cards, of the first accounts that have one; 0 without any. */
  waitingContextCardSeconds(): Promise<number> {
    return this.db.oneFirst(sql.type(z.object({ seconds: ageSeconds }))`
      select coalesce(floor(extract(epoch from
        clock_timestamp() - lookup_oldest_projection_mark(${MOST_ACCOUNTS_LOOKED_AT}))), 0)::integer as seconds`);
  }

  /** Open items of the desk whose time has passed, escalated ones too, by kind, in the first accounts that have open ones. */
  overdueReviews(): Promise<readonly OverdueReviews[]> {
    return this.db.any(sql.type(overdueRow)`
      select kind, total, oldest_overdue_seconds from count_overdue_reviews(${MOST_ACCOUNTS_LOOKED_AT}, ${MOST_COUNTED})`);
  }

  /** Seconds since the oldest erasure that has not ended was asked for; 0 without any. */
  oldestErasureSeconds(): Promise<number> {
    return this.db.oneFirst(sql.type(z.object({ seconds: ageSeconds }))`
      select coalesce(floor(extract(epoch from clock_timestamp() - lookup_oldest_erasure())), 0)::integer as seconds`);
  }

  /** Open work for people, proposals withheld, and whether any account runs unattended. */
  governance(): Promise<GovernanceCounts> {
    return this.db.one(sql.type(governanceRow)`
      select pending_human_reviews, restricted_withheld, unattended from count_governance(${MOST_COUNTED})`);
  }

  /** The last completed passes over all accounts, of the sweeps and of the retention. */
  passes(): Promise<readonly PassRow[]> {
    return this.db.any(sql.type(passRow)`
      select kind, completed_at, failed_accounts,
        extract(epoch from clock_timestamp() - coalesce(completed_at, installed_at))::integer as waited_seconds
      from sweep_passes`);
  }

  /** The last completed pass of the retention, of `passes`. */
  async retention(passes = this.passes()): Promise<LastRetention> {
    return passOf(await passes, 'retention');
  }

  /** The last completed sweep of each kind, of `passes`, and what sweeps have set aside. */
  async sweeps(passes = this.passes()): Promise<LastSweeps> {
    const [rows, setAside] = await Promise.all([
      passes,
      this.db.oneFirst(
        sql.type(setAsideRow)`select count_sweep_setbacks(${MOST_COUNTED}) as set_aside`,
      ),
    ]);
    const sweeps = rows.filter(({ kind }) => kind !== 'retention');
    const pass = (kind: SweepKind): SweepPass => {
      const { completedAt, waitedSeconds } = passOf(rows, kind);
      return { completedAt, waitedSeconds };
    };
    return {
      passes: {
        expiry: pass('expiry'),
        revalidation: pass('revalidation'),
        ageing: pass('ageing'),
        questions: pass('questions'),
      },
      failedAccounts: Math.max(0, ...sweeps.map((row) => row.failed_accounts)),
      setAside,
    };
  }
}
