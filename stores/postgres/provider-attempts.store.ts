/**
 * The provider ledger in Postgres. A row exists before its call is made; reservations and outcomes of
 * concurrent calls of an account are written together.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import type {
  AttemptOutcome,
  AttemptReservation,
  ProviderLedger,
} from '../../domain/models/ledger.ts';
import { withAccount, type Queryable } from './pool.ts';
import { inRounds } from './rounds.ts';

/**
 * How a call ends whose process died: what was only reserved was never sent, what was sent has no known outcome
 * and no known price.
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

function reservationRow(id: string, attempt: AttemptReservation): Record<string, unknown> {
  const { identity, claim } = attempt;
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
    anchor_message_ids: attempt.anchorMessageIds,
    repair_index: attempt.repairIndex,
    mailbox_shard: claim?.mailboxShard ?? null,
    claim_epoch: claim?.epoch ?? null,
    trace_id: attempt.traceId,
  };
}

async function insertReserved(
  tx: Queryable,
  accountId: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(sql.unsafe`
    insert into provider_attempts (account_id, id, role, provider, model, model_version, prompt_version,
      pipeline_version, state, batch_id, run_id, scope_id, anchor_message_ids, repair_index, mailbox_shard,
      claim_epoch, trace_id, dispatched_at)
    select ${accountId}::uuid, r.id, r.role, r.provider, r.model, r.model_version, r.prompt_version,
      r.pipeline_version, r.state, r.batch_id, r.run_id, r.scope_id, r.anchor_message_ids, r.repair_index,
      r.mailbox_shard, r.claim_epoch, r.trace_id, case r.state when 'dispatched' then clock_timestamp() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      id uuid, role model_role, provider text, model text, model_version text, prompt_version text,
      pipeline_version text, state attempt_state, batch_id uuid, run_id uuid, scope_id uuid,
      anchor_message_ids uuid[], repair_index smallint, mailbox_shard smallint, claim_epoch bigint,
      trace_id text)`);
}

async function markDispatched(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(sql.unsafe`
    update provider_attempts set state = 'dispatched', dispatched_at = clock_timestamp()
    where id = any(${sql.array(ids, 'uuid')}) and state = 'reserved'`);
}

/** A row that a later drain has closed stays closed: its outcome came too late to be counted on. */
async function writeOutcomes(tx: Queryable, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return;
  const rows = finished.map(({ id, outcome }) => ({
    id,
    state: outcome.status,
    metered: outcome.metered,
    input_tokens: outcome.inputTokens,
    output_tokens: outcome.outputTokens,
    embedding_tokens: outcome.embeddingTokens,
    usd_micros: outcome.usdMicros,
    duration_ms: outcome.durationMs,
    error_class: outcome.errorClass,
  }));
  await tx.query(sql.unsafe`
    update provider_attempts a
    set state = r.state, metered = r.metered, input_tokens = r.input_tokens, output_tokens = r.output_tokens,
      embedding_tokens = r.embedding_tokens, usd_micros = r.usd_micros, duration_ms = r.duration_ms,
      error_class = r.error_class, finished_at = clock_timestamp()
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (
      id uuid, state attempt_state, metered boolean, input_tokens bigint, output_tokens bigint,
      embedding_tokens bigint, usd_micros bigint, duration_ms integer, error_class error_class)
    where a.id = r.id and a.state in ('reserved', 'dispatched')`);
}

/** The ledger over the pool of a process. Every promise resolves after the commit of its entry. */
export function createProviderLedger(db: Queryable): ProviderLedger {
  const enter = inRounds<Entry, null>(async (accountId, entries) => {
    const reserved = entries.flatMap((entry) =>
      entry.does === 'reserve' ? [reservationRow(entry.id, entry.attempt)] : [],
    );
    const dispatched = entries.flatMap(({ does, id }) => (does === 'dispatch' ? [id] : []));
    const finished = entries.flatMap((entry) => (entry.does === 'finish' ? [entry] : []));
    await withAccount(db, accountId, async (tx) => {
      await insertReserved(tx, accountId, reserved);
      await markDispatched(tx, dispatched);
      await writeOutcomes(tx, finished);
    });
    return entries.map(() => null);
  });
  return {
    async reserve(attempt) {
      const id = uuidv7();
      await enter(attempt.accountId, { does: 'reserve', id, attempt });
      return id;
    },
    async dispatched(id, accountId) {
      await enter(accountId, { does: 'dispatch', id });
    },
    async finish(id, outcome, accountId) {
      await enter(accountId, { does: 'finish', id, outcome });
    },
  };
}
