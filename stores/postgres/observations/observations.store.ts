/**
 * Raw observations are recorded here, several of an account in one round trip and one transaction. Ids are made here, one
 * for each row that may have to be created.
 */
import { createHash } from 'node:crypto';
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { peerOfKey } from '../../../domain/forgetting/holds.ts';
import { scopeChain, type ScopePath } from '../../../domain/scopes/path.ts';
import { audienceFields, type SentAudience } from '../audiences/sent-audience.ts';
import type { SentKey } from '../idempotency.store.ts';
import { JUDGES_NOTHING, type TextJudge } from '../../../domain/forgetting/judge.ts';
import { judgeIn, judgesIn } from '../judging.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { SHARDS } from '../actors/shards.ts';

export interface NewObservation {
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
  /** Whom it is for; null for whoever may read it where it is said. */
  readonly audience: SentAudience | null;
  readonly role: string;
  readonly content: string;
  readonly occurredAt: string;
  readonly occurredOffsetMinutes: number;
  /** 32 lowercase hex. */
  readonly traceId: string;
  readonly idempotency: SentKey | null;
}

const recordedRow = z.object({
  /** From 1, in the order of the call. */
  place: z.number(),
  /** `stale`: judged by other holds than those in force; nothing is written. */
  outcome: z.enum(['accepted', 'replayed', 'conflict', 'stale']),
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

const asBytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

/** The fields of the type `sent_observation`. */
function sentObservation(observation: NewObservation, index: number) {
  const { idempotency, namedSpeaker, scopePath } = observation;
  return {
    place: index + 1,
    credential_id: observation.credentialId,
    caller_peer_id: observation.callerPeerId,
    is_vouched: namedSpeaker !== null,
    scope_path: scopePath,
    scope_ids: scopeChain(scopePath).map(() => uuidv7()),
    session: observation.sessionId,
    session_id: uuidv7(),
    speaker_key: namedSpeaker?.key ?? null,
    speaker_name: namedSpeaker?.name ?? null,
    speaker_kind: namedSpeaker?.kind ?? null,
    speaker_id: uuidv7(),
    message_id: uuidv7(),
    role: observation.role,
    content_hash: asBytea(createHash('sha256').update(observation.content, 'utf8').digest()),
    occurred_at: observation.occurredAt,
    occurred_offset_minutes: observation.occurredOffsetMinutes,
    trace_id: observation.traceId,
    audit_id: uuidv7(),
    idempotency_id: uuidv7(),
    idempotency_path: idempotency?.path ?? null,
    idempotency_key: idempotency?.key ?? null,
    request_hash: idempotency && asBytea(idempotency.requestHash),
    ...audienceFields(observation.audience),
  };
}

function recorded(row: z.infer<typeof recordedRow> | undefined): RecordedObservation {
  if (row === undefined || row.outcome === 'stale')
    throw new TypeError('the database must answer every observation');
  const { outcome, message_id: messageId, occurred_at: occurredAt, shard } = row;
  if (outcome === 'conflict' || messageId === null || occurredAt === null || shard === null) {
    return { outcome: 'conflict' };
  }
  return { outcome, messageId, occurredAt, shard };
}

/** What is served of the texts that holds keep something of. */
async function servedTexts(observations: readonly NewObservation[], judge: TextJudge) {
  const served: { readonly place: number; readonly text: string | null }[] = [];
  if (judge.edition === 0) return served;
  for (const [index, observation] of observations.entries()) {
    const { callerPeerId, content, namedSpeaker, scopePath } = observation;
    const speaker = namedSpeaker === null ? callerPeerId : peerOfKey(namedSpeaker.key);
    const speakerIds = speaker === null ? [] : [speaker];
    const text = await judge.message(content, { scopePath, speakerIds, aboutIds: [] });
    if (text !== content) served.push({ place: index + 1, text });
  }
  return served;
}

async function recordJudged(
  db: Queryable,
  accountId: string,
  observations: readonly NewObservation[],
  lockWaitMs: number | null,
  judge: TextJudge,
): Promise<readonly z.infer<typeof recordedRow>[]> {
  const contents = observations.map(({ content }) => content);
  return db.any(sql.type(recordedRow)`
    select place, outcome, message_id, occurred_at, shard from ingest_observations(
      ${accountId}::uuid, ${SHARDS}::integer, ${JSON.stringify(observations.map(sentObservation))}::json,
      ${sql.array(contents, 'text')}, ${lockWaitMs}::integer, ${judge.edition}::bigint,
      ${JSON.stringify(await servedTexts(observations, judge))}::json)`);
}

/**
 * Records observations of the account with their anchors, marks and audit events, or finds the first answers to their
 * idempotency keys; answers each in its place. One round trip, its own transaction: when one of them cannot be recorded,
 * none is. Waits for a lock of another transaction for `lockWaitMs`; null: until the statement has taken too long.
 */
export async function recordObservations(
  db: Queryable,
  accountId: string,
  observations: readonly NewObservation[],
  lockWaitMs: number | null,
): Promise<readonly RecordedObservation[]> {
  const judges = judgesIn(db);
  let judge = judges?.known(accountId) ?? JUDGES_NOTHING;
  for (;;) {
    const rows = await recordJudged(db, accountId, observations, lockWaitMs, judge);
    if (rows[0]?.outcome !== 'stale') {
      const byPlace = new Map(rows.map((row) => [row.place, row]));
      return observations.map((_, index) => recorded(byPlace.get(index + 1)));
    }
    // Something was asked to be forgotten meanwhile, or taken back: only people do that, so this comes to an end.
    judge = await withAccount(db, accountId, (tx) => judgeIn(tx, accountId));
  }
}
