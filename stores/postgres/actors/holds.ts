/**
 * Holds: which anchors a drain takes to work on, and which it gives back. The rules stand in the SQL function
 * `claim_anchors`. It is fair among speakers and their sessions, and bounds what it takes in anchors and bytes. It
 * takes nothing while a circuit keeps calls back, and counts an attempt of each anchor before the work.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Mailbox } from '../../../domain/actors/names.ts';
import { WINDOW_MESSAGES } from '../../../domain/extraction/batching.ts';
import type { HoldRoom, HeldAnchor } from '../../../domain/extraction/holds.ts';
import { MOST_INTERNAL_ERRORS } from '../../../domain/observations/settlement.ts';
import type { Queryable } from '../pool.ts';

/** An anchor held by a drain. */
export interface HeldAnchorRow extends HeldAnchor {
  readonly messageId: string;
  readonly scopeId: string;
  /** This attempt included. */
  readonly attemptCount: number;
  /** ISO time of the commit of its statements, when an earlier drain got that far. */
  readonly extractedAt: string | null;
  readonly traceId: string;
}

/**
 * The model of the extractor. While its circuit is not closed, a drain takes one anchor only, as the probe. Null for an
 * extractor in process.
 */
export type ExtractorModel = { readonly provider: string; readonly model: string } | null;

/** Neighbours of a session that a speaker's turn takes together: as many as share a call. */
const MOST_IN_TURN = 8;

const anchorRow = z.object({
  /** Of the drain, from 0. */
  place: z.number().int(),
  message_id: z.string(),
  session_id: z.string(),
  scope_id: z.string(),
  attempt_count: z.number().int(),
  extracted_at: z.string().nullable(),
  trace_id: z.string(),
  is_chunk: z.boolean(),
  failed: z.boolean(),
  lost_claims: z.number().int(),
  bytes: z.number().int(),
});
const dueRow = z.object({ due_in_ms: z.number().nullable() });

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** A drain that takes anchors, and what it has room for. */
export interface TakingDrain {
  readonly shard: number;
  readonly epoch: number;
  readonly room: HoldRoom;
}

/** As `claim_for_drains` reads it. */
function asked({ epoch, room, shard }: TakingDrain, place: number) {
  return {
    place,
    shard,
    epoch,
    most: room.anchors,
    most_failed: room.failed,
    most_lost: room.lost,
    may_be_alone: room.mayBeAlone,
    bytes: room.bytes,
    holds: room.holdsAny,
    busy: room.busySessions,
  };
}

/**
 * Takes anchors for several drains of an account, as many as each has room for, in one round trip and one transaction;
 * answers them drain by drain, in the order of sessions. A fenced drain gets none. It sets the account itself.
 */
export async function takeAnchors(
  db: Queryable,
  accountId: string,
  drains: readonly TakingDrain[],
  extractor: ExtractorModel,
): Promise<HeldAnchorRow[][]> {
  const rows = await db.any(sql.type(anchorRow)`
    select place, message_id, session_id, scope_id, attempt_count, extracted_at, trace_id, is_chunk, failed, lost_claims,
      bytes
    from claim_for_drains(${accountId}::uuid, ${JSON.stringify(drains.map(asked))}::jsonb, ${MOST_IN_TURN},
      ${MOST_INTERNAL_ERRORS}, ${WINDOW_MESSAGES}, ${extractor?.provider ?? null}::text,
      ${extractor?.model ?? null}::text)`);
  const byDrain = Map.groupBy(rows, ({ place }) => place);
  return drains.map((_, place) =>
    (byDrain.get(place) ?? [])
      .map(toHeld)
      .sort((a, b) => order(a.sessionId, b.sessionId) || order(a.messageId, b.messageId)),
  );
}

function toHeld(row: z.infer<typeof anchorRow>): HeldAnchorRow {
  return {
    messageId: row.message_id,
    sessionId: row.session_id,
    scopeId: row.scope_id,
    attemptCount: row.attempt_count,
    extractedAt: row.extracted_at,
    traceId: row.trace_id,
    isChunk: row.is_chunk,
    failed: row.failed,
    lostHolds: row.lost_claims,
    bytes: row.bytes,
  };
}

/** Gives back what the drain holds, and the attempts that were counted for it; answers how many. */
export async function releaseHolds(
  tx: Queryable,
  { accountId, shard }: Mailbox,
  epoch: number,
): Promise<number> {
  const { rowCount } = await tx.query(sql.unsafe`
    update extraction_anchors set claim_epoch = null, available_at = least(available_at, clock_timestamp()),
      attempt_count = attempt_count - case when extracted_at is null then least(1, unsettled_attempts) else 0 end,
      unsettled_attempts = greatest(0, unsettled_attempts - 1)
    where account_id = ${accountId} and shard = ${shard}
      and status in ('pending', 'failed') and claim_epoch = ${epoch}`);
  return rowCount;
}

/** Milliseconds until something is due that the drain does not hold; null when nothing waits. */
export async function nextDueInMs(
  tx: Queryable,
  { accountId, kind, shard }: Mailbox,
  epoch: number,
): Promise<number | null> {
  const { due_in_ms: due } = await tx.one(
    kind === 'projection'
      ? sql.type(dueRow)`
          select (extract(epoch from min(available_at) - clock_timestamp()) * 1000)::float8 as due_in_ms
          from dirty_marks where account_id = ${accountId} and shard = ${shard}`
      : sql.type(dueRow)`
          with circuit as materialized (
            select max(blocked_until) filter (where blocked_until > clock_timestamp()) as blocked_until,
              max(coalesce(blocked_until, closed_at))
                filter (where coalesce(blocked_until, closed_at) <= clock_timestamp()) as woke_at
            from provider_circuits where account_id = ${accountId} and role = 'ingest_extractor'
          ), waiting as (
            (select a.available_at as due_at from extraction_anchors a
              where a.account_id = ${accountId} and a.shard = ${shard} and a.status in ('pending', 'failed')
                and a.claim_epoch is distinct from ${epoch}
              order by a.available_at limit 1)
            union all
            (select circuit.woke_at from circuit
              where circuit.woke_at > (select a.failed_at from extraction_anchors a
                where a.account_id = ${accountId} and a.shard = ${shard} and a.status = 'failed'
                  and a.claim_epoch is distinct from ${epoch}
                order by a.failed_at limit 1))
          )
          select (extract(epoch from
            greatest(min(waiting.due_at), max(circuit.blocked_until)) - clock_timestamp()) * 1000)::float8
            * case when count(waiting.due_at) > 0 then 1 end as due_in_ms
          from circuit left join waiting on true`,
  );
  return due === null ? null : Math.max(0, Math.ceil(due));
}
