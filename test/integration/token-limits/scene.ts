/** Accounts with daily token limits: calls of the ledger, what the day says of them, and a day that is over. */
import { NO_USAGE, type TokenUsage } from '../../../domain/models/usage.ts';
import type { AttemptReservation, AttemptStatus } from '../../../domain/models/ledger.ts';
import type { ModelRole } from '../../../domain/models/roles.ts';
import type { TokenLimits } from '../../../domain/models/token-limits.ts';
import { ProviderAttemptsStore } from '../../../stores/postgres/models/provider-attempts.store.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';
import { v7 as uuidv7 } from 'uuid';

export interface Worst {
  readonly role?: ModelRole;
  readonly input?: number;
  readonly output?: number;
  readonly embedding?: number;
  readonly scopeId?: string;
  readonly isCheck?: boolean;
  /** False: the row is reserved, and dispatched by a step of its own. */
  readonly dispatch?: boolean;
}

/** A call of an account with this worst case. */
export function call(accountId: string, worst: Worst = {}): AttemptReservation {
  const {
    role = 'ingest_extractor',
    input = 0,
    output = 0,
    embedding = 0,
    dispatch = true,
  } = worst;
  const { scopeId, isCheck = false } = worst;
  return {
    accountId,
    runId: null,
    anchorMessageIds: [],
    traceId: null,
    role,
    identity: { provider: 'openai-compatible', model: 'tiny', modelVersion: '1' },
    promptVersion: null,
    pipelineVersion: null,
    repairIndex: 0,
    worstCase: { inputTokens: input, outputTokens: output, embeddingTokens: embedding },
    dispatch,
    isCheck,
    ...(scopeId === undefined ? {} : { scopeId }),
  };
}

/** How a call ended: with what its provider reported, or null for a call that was not metered. */
export function ended(status: AttemptStatus, reported: Partial<TokenUsage> | null) {
  const errorClass =
    status === 'error' || status === 'timeout' ? ('transport_error' as const) : null;
  const metered = reported !== null;
  return { ...NO_USAGE, ...reported, status, errorClass, metered, durationMs: 1, usdMicros: null };
}

export interface DayRow {
  readonly role: string;
  readonly used: readonly number[];
  readonly reserved: readonly number[];
}

export class LimitsScene {
  readonly database: OpenDatabase;

  private constructor(database: OpenDatabase) {
    this.database = database;
  }

  static async open(): Promise<LimitsScene> {
    return new LimitsScene(await openTestDatabase());
  }

  ledger(limits: TokenLimits): ProviderAttemptsStore {
    return new ProviderAttemptsStore(this.database.pool, limits);
  }

  async account(): Promise<string> {
    const id = uuidv7();
    await this.database.rows('insert into accounts (id, key, name) values ($1, $2, $2)', [id, id]);
    await this.database.rows(
      `insert into scopes (account_id, id, path) values ($1, $2, '/') on conflict do nothing`,
      [id, uuidv7()],
    );
    return id;
  }

  /** The rows of an account of today, or of a day before; input, output and embedding tokens. */
  async day(accountId: string, daysAgo = 0): Promise<readonly DayRow[]> {
    const rows = await this.database.rows(
      `select role, array[used_input_tokens, used_output_tokens, used_embedding_tokens]::integer[] as used,
         array[reserved_input_tokens, reserved_output_tokens, reserved_embedding_tokens]::integer[] as reserved
       from token_days where account_id = $1 and day = (clock_timestamp() at time zone 'UTC')::date - $2::integer
       order by role`,
      [accountId, daysAgo],
    );
    return rows.map(({ role, used, reserved }) => ({
      role: String(role),
      used: numbers(used),
      reserved: numbers(reserved),
    }));
  }

  /** What happened to the account until now was a day ago. */
  async midnight(accountId: string): Promise<void> {
    // From the earliest, so that no row meets another of its key.
    const days = await this.database.rows(
      'select distinct day::text as day from token_days where account_id = $1 order by 1',
      [accountId],
    );
    for (const { day } of days) {
      await this.database.rows(
        'update token_days set day = day - 1 where account_id = $1 and day = $2::date',
        [accountId, day],
      );
    }
    await this.database.rows(
      `update provider_attempts set token_day = token_day - 1, reserved_at = reserved_at - interval '1 day'
       where account_id = $1`,
      [accountId],
    );
  }
}

function numbers(array: unknown): readonly number[] {
  if (!Array.isArray(array)) throw new TypeError('no array');
  return array.map(Number);
}
