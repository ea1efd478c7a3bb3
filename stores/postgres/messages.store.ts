/**
 * Raw observations: recorded in one round trip, and the status of what became of them. Ids are made here, one
 * for each row that may have to be created.
 */
import { createHash } from 'node:crypto';
import { sql, type FragmentSqlToken } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';
import { ERROR_CLASSES } from '../../domain/models/error-class.ts';
import { scopeChain, type ScopePath } from '../../domain/scopes/path.ts';
import { renderMessageReadable } from './knowledge/rows.store.ts';
import { inTurn, type Queryable } from './pool.ts';
import { chainOf } from './scope-paths.ts';
import type { SentKey } from './idempotency.store.ts';
import { AccountStore } from './account-store.ts';
import { SHARDS } from './shards.ts';

export interface NewObservation {
  readonly accountId: string;
  readonly credentialId: string;
  /** The peer of the credential; null when it has none. */
  readonly callerPeerId: string | null;
  readonly scopePath: ScopePath;
  readonly sessionId: string;
  /** Null when the caller speaks as itself. Name and kind count only for a new peer. */
  readonly namedSpeaker: {
    readonly key: string;
    readonly name: string;
    readonly kind: 'human' | 'agent';
  } | null;
  readonly role: string;
  readonly content: string;
  readonly occurredAt: string;
  readonly occurredOffsetMinutes: number;
  /** 32 lowercase hex. */
  readonly traceId: string;
  readonly idempotency: SentKey | null;
}

const recordedRow = z.object({
  outcome: z.enum(['accepted', 'replayed', 'conflict']),
  /** Null when the first answer's message is gone. */
  message_id: z.string().nullable(),
  occurred_at: z.string().nullable(),
  shard: z.number().nullable(),
});

export type RecordedObservation =
  | {
      readonly outcome: 'accepted' | 'replayed';
      readonly messageId: string;
      readonly occurredAt: string;
      readonly shard: number;
    }
  | { readonly outcome: 'conflict' };

function speakerArguments(speaker: NewObservation['namedSpeaker']): FragmentSqlToken {
  const { key, name, kind } = speaker ?? { key: null, name: null, kind: null };
  return sql.fragment`${key}, ${name}, ${kind}::peer_kind, ${uuidv7()}::uuid`;
}

function idempotencyArguments(record: NewObservation['idempotency']): FragmentSqlToken {
  if (record === null) return sql.fragment`null, null, null, null`;
  const hash = sql.binary(Buffer.from(record.requestHash));
  return sql.fragment`${uuidv7()}::uuid, ${record.path}, ${record.key}, ${hash}`;
}

/**
 * Records the observation with its anchor, marks and audit event, or finds the first answer to the same
 * idempotency key. One round trip, its own transaction.
 */
export async function recordObservation(
  db: Queryable,
  observation: NewObservation,
): Promise<RecordedObservation> {
  const { scopePath } = observation;
  const scopeIds = scopeChain(scopePath).map(() => uuidv7());
  const contentHash = createHash('sha256').update(observation.content, 'utf8').digest();
  const recorded = sql.type(recordedRow)`
    select outcome, message_id, occurred_at, shard from ingest_observation(
      ${observation.accountId}::uuid, ${observation.credentialId}::uuid, ${observation.callerPeerId}::uuid,
      ${observation.namedSpeaker !== null},
      ${scopePath}, ${sql.array(scopeIds, 'uuid')},
      ${observation.sessionId}, ${uuidv7()}::uuid, ${SHARDS}::integer,
      ${speakerArguments(observation.namedSpeaker)},
      ${uuidv7()}::uuid, ${observation.role}, ${observation.content}, ${sql.binary(contentHash)},
      ${observation.occurredAt}::timestamptz, ${observation.occurredOffsetMinutes}::integer,
      ${observation.traceId}, ${uuidv7()}::uuid,
      ${idempotencyArguments(observation.idempotency)})`;
  const row = await inTurn(db, observation.accountId, () => db.one(recorded));
  const { outcome, message_id: messageId, occurred_at: occurredAt, shard } = row;
  if (outcome === 'conflict' || messageId === null || occurredAt === null || shard === null) {
    return { outcome: 'conflict' };
  }
  return { outcome, messageId, occurredAt, shard };
}

const statusRow = z.object({
  status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
  completed_at: z.string().nullable(),
  next_attempt_at: z.string().nullable(),
  last_error_class: z.enum(ERROR_CLASSES).nullable(),
  attempt_count: z.number(),
  scope_path: z.string(),
  /** The scopes of the message's chain that exist. */
  chain: z.array(z.object({ id: z.string(), depth: z.number() })),
  /** Whether the reader may read the message. */
  was_there: z.boolean(),
});
export type ObservationStatusRow = z.infer<typeof statusRow>;

/**
 * The circuit of the extractor, and whether it keeps the anchor back. A due anchor that it keeps back waits unchanged
 * in its mailbox; only the status that a caller reads tells of it.
 */
const KEPT_BACK = sql.fragment`
  left join lateral (
    select max(c.blocked_until) filter (where c.blocked_until > clock_timestamp()) as blocked_until,
      max(c.closed_at) as closed_at
    from provider_circuits c where c.account_id = a.account_id and c.role = 'ingest_extractor'
  ) circuit on a.status in ('pending', 'failed')
  cross join lateral (
    select a.status in ('pending', 'failed') and a.extracted_at is null and a.claim_epoch is null
      and a.available_at <= clock_timestamp() and circuit.blocked_until is not null as back
  ) kept`;

/** Observations of the account, and what became of them. */
export class MessagesStore extends AccountStore {
  /** What became of a message, and whether the reader may read it; null without such a message. */
  async status(messageId: string, reader: ScopedReader): Promise<ObservationStatusRow | null> {
    return this.tx.maybeOne(sql.type(statusRow)`
      select case when kept.back then 'failed'::extraction_status else a.status end as status, a.completed_at, a.attempt_count,
        case when kept.back then 'circuit_open'::error_class else a.last_error_class end as last_error_class,
        case when kept.back then circuit.blocked_until when a.status <> 'failed' then null
          when a.failed_at < circuit.closed_at then least(a.available_at, circuit.closed_at)
          else least(a.available_at, circuit.blocked_until) end as next_attempt_at,
        scope.path as scope_path,
        ${renderMessageReadable(reader)} as was_there,
        ${chainOf('scope')} as chain
      from messages m
      join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id
      join scopes scope on scope.account_id = m.account_id and scope.id = m.scope_id
      ${KEPT_BACK}
      where m.id = ${messageId}::uuid`);
  }

  /** Those of the messages with an extraction that has ended. */
  async settled(messageIds: readonly string[]): Promise<readonly string[]> {
    return this.tx.anyFirst(sql.type(z.object({ message_id: z.string() }))`
      select message_id from extraction_anchors
      where message_id = any(${sql.array(messageIds, 'uuid')})
        and status in ('completed', 'repairable', 'terminal')`);
  }
}
