/**
 * The way of one message to its statements and to the indexes, for an operator. No text is read. The operator may know of
 * every message of the account, so nothing here asks who may read it.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Reader } from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { AccountStore } from '../account-store.ts';
import { isInIndexes } from '../visibility/indexed.ts';
import { wasThere } from '../visibility/messages.ts';
import { instant } from '../columns.ts';
import { KEPT_BACK } from '../observations/messages.store.ts';
import { mayBeShown } from '../visibility/shown-messages.ts';
import { storedScopePath } from '../scopes/stored-path.ts';
import { explainedMarks, marksOf } from './marks.ts';

/** Statements that one message names. */
const MOST_STATEMENTS = 50;

const anchorShape = z.object({
  status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
  attempts: z.number(),
  last_error_class: z.enum(ERROR_CLASSES).nullable(),
  next_look_at: instant,
  extracted_at: instant.nullable(),
  completed_at: instant.nullable(),
  failed_at: instant.nullable(),
  candidates: z.number().nullable(),
  is_held: z.boolean(),
  is_kept_back: z.boolean(),
});

const mailboxShape = z.object({
  shard: z.number(),
  paused: z.boolean(),
  /** A drain looks for work. */
  awake: z.boolean(),
  last_rung_at: instant.nullable(),
});

const budgetShape = z.object({
  scope_root: z.string(),
  deadline_at: instant,
  closed_at: instant.nullable(),
  is_closed: z.boolean(),
});

const messageRow = z.object({
  id: z.string(),
  recorded_at: z.string(),
  occurred_at: z.string(),
  scope_path: storedScopePath,
  /** Null of the session of a document. */
  session_id: z.string().nullable(),
  speaker_key: z.string(),
  relay_key: z.string().nullable(),
  role: z.string(),
  is_speaker_erasing: z.boolean(),
  document_id: z.string().nullable(),
  document_version: z.number().nullable(),
  chunk: z.number().nullable(),
  is_in_indexes: z.boolean(),
  anchor: anchorShape.nullable(),
  mailbox: mailboxShape.nullable(),
  blocked_until: z.string().nullable(),
  budget: budgetShape.nullable(),
  statements: z.array(z.object({ id: z.string(), state: z.enum(KNOWLEDGE_STATES) })),
  statement_counts: z.array(z.object({ state: z.enum(KNOWLEDGE_STATES), count: z.number() })),
  marks: explainedMarks,
});
export type ExplainedMessageRow = z.output<typeof messageRow>;

const readerRow = z.object({ is_shown: z.boolean(), was_there: z.boolean() });

const ANCHOR = sql.fragment`
  case when a.message_id is not null then jsonb_build_object('status', a.status, 'attempts', a.attempt_count,
    'last_error_class', a.last_error_class, 'next_look_at', a.available_at, 'extracted_at', a.extracted_at,
    'completed_at', a.completed_at, 'failed_at', a.failed_at, 'candidates', a.candidate_count,
    'is_held', a.claim_epoch is not null and a.status in ('pending', 'failed'),
    'is_kept_back', kept.back) end as anchor`;

/** A mailbox without a row was never rung. */
const MAILBOX = sql.fragment`
  (select jsonb_build_object('shard', box.shard, 'paused', box.paused, 'awake', box.awake_until > clock_timestamp(),
      'last_rung_at', case when isfinite(box.last_rung_at) then box.last_rung_at end)
    from mailboxes box
    where box.account_id = m.account_id and box.kind = 'ingest' and box.shard = session.shard) as mailbox`;

/** As `reserve_budgets` chooses. */
const BUDGET = sql.fragment`
  (select jsonb_build_object('scope_root', b.scope_root, 'deadline_at', b.deadline_at, 'closed_at', b.closed_at,
      'is_closed', b.closed_at is not null or b.deadline_at <= clock_timestamp())
    from budgets_over(m.account_id, scope.path) b order by char_length(b.scope_root) desc limit 1) as budget`;

const STATEMENTS = sql.fragment`
  (select coalesce(jsonb_agg(jsonb_build_object('id', drawn.id, 'state', drawn.state)), '[]') from (
    select k.id, k.state from provenance p
    join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
    where p.account_id = m.account_id and p.message_id = m.id
    order by k.id limit ${MOST_STATEMENTS}) drawn) as statements,
  (select coalesce(jsonb_agg(jsonb_build_object('state', counted.state, 'count', counted.count)), '[]') from (
    select k.state, count(*) from provenance p
    join knowledge k on k.account_id = p.account_id and k.id = p.knowledge_id
    where p.account_id = m.account_id and p.message_id = m.id
    group by k.state order by k.state) counted) as statement_counts`;

/** Messages of the account, as an operator has them explained. */
export class ExplainedMessagesStore extends AccountStore {
  /** Null without such a message. One query. */
  async find(messageId: string): Promise<ExplainedMessageRow | null> {
    return this.tx.maybeOne(sql.type(messageRow)`
      select m.id, m.recorded_at, m.occurred_at, scope.path as scope_path, session.external_id as session_id,
        speaker.key as speaker_key, relay.key as relay_key, m.role, speaker.erasing_at is not null as is_speaker_erasing,
        version.document_id, version.version as document_version, m.chunk_index as chunk,
        ${isInIndexes('m')} as is_in_indexes, ${ANCHOR}, ${MAILBOX}, ${BUDGET},
        case when kept.back then circuit.blocked_until end as blocked_until,
        ${STATEMENTS},
        ${marksOf('message', sql.fragment`m.account_id`, sql.fragment`m.id`)} as marks
      from messages m
      join scopes scope on scope.account_id = m.account_id and scope.id = m.scope_id
      join sessions session on session.account_id = m.account_id and session.id = m.session_id
      join peers speaker on speaker.account_id = m.account_id and speaker.id = m.speaker_peer_id
      left join peers relay on relay.account_id = m.account_id and relay.id = m.relay_peer_id
      left join document_versions version on version.account_id = m.account_id and version.id = m.document_version_id
      left join extraction_anchors a on a.account_id = m.account_id and a.message_id = m.id
      ${KEPT_BACK}
      where m.account_id = ${this.accountId}::uuid and m.id = ${messageId}::uuid`);
  }

  /** Whether the peer was there, and whether a source search over the scopes shows it the message. */
  async readBy(
    messageId: string,
    { peerId, scopeIds }: { readonly peerId: string; readonly scopeIds: readonly string[] },
  ): Promise<z.infer<typeof readerRow>> {
    const reader: Reader = { posture: 'peer', peerId };
    return this.tx.one(sql.type(readerRow)`
      select ${mayBeShown({ reader, scopeIds })} as is_shown, ${wasThere(sql.fragment`${peerId}::uuid`)} as was_there
      from messages m where m.account_id = ${this.accountId}::uuid and m.id = ${messageId}::uuid`);
  }
}
