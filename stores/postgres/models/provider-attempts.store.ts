/**
 * The provider ledger in Postgres. A row exists before its call is made; reservations and outcomes of
 * concurrent calls of an account are written together.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { BudgetTerms } from '../../../domain/models/budget.ts';
import { ERROR_CLASSES, ModelFailure } from '../../../domain/error-class.ts';
import type {
  AttemptOutcome,
  AttemptReservation,
  ProviderLedger,
  Reserved,
} from '../../../domain/models/ledger.ts';
import type { TokenLimits } from '../../../domain/models/token-limits.ts';
import { PoolStore } from '../pool-store.ts';
import { inTurn, type Queryable } from '../pool.ts';
import { inOneTrip } from '../one-trip.ts';

/**
 * How a call ends when its process died: a call that was only reserved was never sent, and a call that was sent has
 * no known outcome and no known price.
 */
export const endedUntold = sql.fragment`
  state = case state when 'reserved' then 'cancelled'::attempt_state else 'error' end,
  error_class = case state when 'dispatched' then 'internal_error'::error_class end,
  metered = false, finished_at = clock_timestamp()`;

interface Finished {
  readonly id: string;
  readonly outcome: AttemptOutcome;
}

type Entry =
  | { readonly does: 'reserve'; readonly id: string; readonly attempt: AttemptReservation }
  | { readonly does: 'dispatch'; readonly id: string }
  | ({ readonly does: 'finish' } & Finished);

/** What limits and budgets say to a trip; a reservation that none of them governs has no row. */
const verdictRow = z.object({
  attempt_id: z.string(),
  refused_by: z.enum(ERROR_CLASSES).nullable(),
  retry_ms: z.number().nullable(),
  left_ms: z.number().nullable(),
  input_rate: z.number().nullable(),
  output_rate: z.number().nullable(),
});
type Verdict = z.infer<typeof verdictRow>;

/** The terms of a reservation, null when no budget governs it. Throws ModelFailure for one that was refused. */
function termsOf(verdict: Verdict | null): BudgetTerms | null {
  if (verdict === null) return null;
  const { refused_by: refusedBy, retry_ms: retryAfterMs } = verdict;
  if (refusedBy !== null) {
    throw new ModelFailure(refusedBy, retryAfterMs === null ? {} : { retryAfterMs });
  }
  const { left_ms: leftMs, input_rate: input, output_rate: output } = verdict;
  if (leftMs === null || input === null || output === null) return null;
  return { leftMs, inputUsdMicrosPerMillion: input, outputUsdMicrosPerMillion: output };
}

function reservationRow(id: string, attempt: AttemptReservation): Record<string, unknown> {
  const { identity, hold } = attempt;
  return {
    id,
    role: attempt.role,
    provider: identity.provider,
    model: identity.model,
    model_version: identity.modelVersion,
    prompt_version: attempt.promptVersion,
    pipeline_version: attempt.pipelineVersion,
    state: attempt.dispatch ? 'dispatched' : 'reserved',
    batch_id: attempt.batchId ?? null,
    run_id: attempt.runId,
    scope_id: attempt.scopeId ?? null,
    is_check: attempt.isCheck === true,
    anchor_message_ids: attempt.anchorMessageIds,
    repair_index: attempt.repairIndex,
    mailbox_shard: hold?.mailboxShard ?? null,
    claim_epoch: hold?.epoch ?? null,
    trace_id: attempt.traceId,
    worst_input_tokens: attempt.worstCase.inputTokens,
    worst_output_tokens: attempt.worstCase.outputTokens,
    worst_embedding_tokens: attempt.worstCase.embeddingTokens,
  };
}

function outcomeRow({ id, outcome }: Finished): Record<string, unknown> {
  return {
    id,
    state: outcome.status,
    metered: outcome.metered,
    input_tokens: outcome.inputTokens,
    output_tokens: outcome.outputTokens,
    embedding_tokens: outcome.embeddingTokens,
    reranker_tokens: outcome.rerankerTokens,
    usd_micros: outcome.usdMicros,
    duration_ms: outcome.durationMs,
    error_class: outcome.errorClass,
  };
}

/** The ledger of all accounts. Every promise resolves after the commit of its entry. */
export class ProviderAttemptsStore extends PoolStore implements ProviderLedger {
  /** As JSON; null without any. */
  readonly #limits: string | null;
  readonly #enter = inOneTrip<Entry, Verdict | null>((accountId, entries) =>
    this.#enterRound(accountId, entries),
  );

  /** `limits` are those of each account and day. */
  constructor(db: Queryable, limits: TokenLimits = {}) {
    super(db);
    this.#limits = Object.keys(limits).length === 0 ? null : JSON.stringify(limits);
  }

  async reserve(attempt: AttemptReservation): Promise<Reserved> {
    const id = uuidv7();
    const verdict = await this.#enter(attempt.accountId, { does: 'reserve', id, attempt });
    return { id, budget: termsOf(verdict) };
  }

  async dispatched(id: string, accountId: string): Promise<void> {
    await this.#enter(accountId, { does: 'dispatch', id });
  }

  async finish(id: string, outcome: AttemptOutcome, accountId: string): Promise<void> {
    await this.#enter(accountId, { does: 'finish', id, outcome });
  }

  async #enterRound(
    accountId: string,
    entries: readonly Entry[],
  ): Promise<readonly (Verdict | null)[]> {
    const reserved = entries.flatMap((entry) =>
      entry.does === 'reserve' ? [reservationRow(entry.id, entry.attempt)] : [],
    );
    const dispatched = entries.flatMap(({ does, id }) => (does === 'dispatch' ? [id] : []));
    const finished = entries.flatMap((entry) =>
      entry.does === 'finish' ? [outcomeRow(entry)] : [],
    );
    // The function sets the account itself: a trip is one round trip.
    const entered = sql.type(verdictRow)`
      select attempt_id, refused_by, retry_ms, left_ms, input_rate, output_rate
      from enter_attempts(${accountId}::uuid, ${JSON.stringify(reserved)}::jsonb, ${sql.array(dispatched, 'uuid')},
        ${JSON.stringify(finished)}::jsonb, ${this.#limits}::jsonb)`;
    const verdicts = await inTurn(this.db, accountId, () => this.db.any(entered));
    const byId = new Map(verdicts.map((verdict) => [verdict.attempt_id, verdict]));
    return entries.map(({ does, id }) => (does === 'reserve' ? (byId.get(id) ?? null) : null));
  }
}
