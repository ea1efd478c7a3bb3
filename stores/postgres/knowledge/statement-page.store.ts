/** What stands around one statement: how it was believed, the words it was drawn from, what is asked about it. */
import { sql } from 'slonik';
import { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import { ITEM_KINDS, ITEM_STATES } from '../../../domain/governance/items.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { ROLES } from '../../../domain/identity/roles.ts';
import { AccountStore } from '../account-store.ts';
import { isNotErasing } from '../visibility/erasing.ts';

/** Periods, sources and items that one page shows. */
const MOST_PERIODS = 50;
const MOST_WORDED_SOURCES = 20;
const MOST_OPEN_ITEMS = 20;
/** Characters that an excerpt is cut from, and those of them before what supports the statement. */
const LONGEST_PASSAGE = 2_048;
const MOST_BEFORE_SUPPORT = 512;

const periodRow = z.object({
  state: z.enum(KNOWLEDGE_STATES),
  target_level: z.enum(TARGET_LEVELS),
  sensitivity: z.enum(SENSITIVITIES),
  confidence: z.number(),
  believed_from: z.string(),
  believed_until: z.string().nullable(),
});
export type PeriodRow = z.infer<typeof periodRow>;

const wordedSourceRow = z.object({
  message_id: z.string(),
  occurred_at: z.string(),
  speaker_key: z.string(),
  speaker_name: z.string(),
  /** Of a chunk of a document. */
  document_title: z.string().nullable(),
  is_chunk: z.boolean(),
  passage: z.string(),
  passage_offset: z.number(),
  span_offset: z.number().nullable(),
  span_length: z.number().nullable(),
});
export type WordedSourceRow = z.infer<typeof wordedSourceRow>;

const audienceNames = z.object({
  peers: z.array(z.object({ key: z.string(), name: z.string() })),
  circles: z.array(z.string()),
  roles: z.array(z.enum(ROLES)),
});
export type AudienceNames = z.infer<typeof audienceNames>;

const openItemRow = z.object({
  id: z.string(),
  version: z.number(),
  kind: z.enum(ITEM_KINDS),
  state: z.enum(ITEM_STATES),
  reason: z.string(),
  target_scope_path: z.string().nullable(),
  target_level: z.enum(TARGET_LEVELS),
  proposed_sensitivity: z.enum(SENSITIVITIES).nullable(),
  /** Of a contest: the state before it. */
  restored_state: z.enum(KNOWLEDGE_STATES).nullable(),
  due_at: z.string(),
});
export type OpenItemRow = z.infer<typeof openItemRow>;

/** Who may see any of it is for the caller of these functions to judge. */
export class StatementPageStore extends AccountStore {
  /** The latest periods of belief, the latest first. */
  async periods(knowledgeId: string): Promise<readonly PeriodRow[]> {
    return this.tx.any(sql.type(periodRow)`
      select state, target_level, sensitivity, confidence, believed_from, believed_until from belief_periods
      where account_id = ${this.accountId}::uuid and knowledge_id = ${knowledgeId}::uuid
      order by believed_from desc limit ${MOST_PERIODS}`);
  }

  /** Those of the messages that the statement was drawn from, with the words around what supports it; the first 20. */
  async sources(
    knowledgeId: string,
    messageIds: readonly string[],
  ): Promise<readonly WordedSourceRow[]> {
    const account = sql.fragment`${this.accountId}::uuid`;
    return this.tx.any(sql.type(wordedSourceRow)`
      select m.id as message_id, m.occurred_at, speaker.key as speaker_key, speaker.name as speaker_name,
        version.title as document_title, m.document_version_id is not null as is_chunk,
        cited.span_offset, cited.span_length, cited.passage_offset,
        substr(m.content, cited.passage_offset + 1, ${LONGEST_PASSAGE}) as passage
      from (
        select p.message_id, p.span_offset, p.span_length,
          greatest(coalesce(p.span_offset, 0) - ${MOST_BEFORE_SUPPORT}, 0) as passage_offset
        from unnest(${sql.array(messageIds.slice(0, MOST_WORDED_SOURCES), 'uuid')}) as wanted (id)
        join provenance p on p.account_id = ${account} and p.knowledge_id = ${knowledgeId}::uuid
          and p.message_id = wanted.id
      ) cited
      join messages m on m.account_id = ${account} and m.id = cited.message_id
      join peers speaker on speaker.account_id = ${account} and speaker.id = m.speaker_peer_id
      left join document_versions version on version.account_id = ${account} and version.id = m.document_version_id
      where ${isNotErasing(account, sql.fragment`m.speaker_peer_id`)}
      order by m.occurred_at, m.id`);
  }

  /** What waits for a decision about the statement, what is due first before. */
  async openItems(knowledgeId: string): Promise<readonly OpenItemRow[]> {
    return this.tx.any(sql.type(openItemRow)`
      select item.id, item.version, item.kind, item.state, item.reason, item.due_at, item.proposed_sensitivity,
        target.path as target_scope_path, coalesce(item.target_level, k.target_level) as target_level,
        case when item.kind = 'contest' then k.state_before_contest end as restored_state
      from review_items item
      join knowledge k on k.account_id = item.account_id and k.id = item.knowledge_id
      left join scopes target on target.account_id = item.account_id and target.id = item.target_scope_id
      where item.account_id = ${this.accountId}::uuid and item.knowledge_id = ${knowledgeId}::uuid
        and item.decided_at is null
      order by item.due_at, item.id limit ${MOST_OPEN_ITEMS}`);
  }

  /** Whom the audience of the statement names; null without an audience. */
  async audience(knowledgeId: string): Promise<AudienceNames | null> {
    const named = sql.fragment`
      from audience_members m where m.account_id = k.account_id and m.audience_id = k.audience_id`;
    return this.tx.maybeOne(sql.type(audienceNames)`
      select
        (select coalesce(jsonb_agg(jsonb_build_object('key', p.key, 'name', p.name) order by p.name, p.key), '[]')
          from peers p where p.account_id = k.account_id and p.erasing_at is null
            and p.id = any(array(select m.principal::uuid ${named} and m.principal not like '%/%'))) as peers,
        (select coalesce(jsonb_agg(c.name order by c.name), '[]')
          from circles c where c.account_id = k.account_id
            and c.id = any(array(select m.principal::uuid ${named} and m.principal not like '%/%'))) as circles,
        array(select split_part(m.principal, '/', 2) ${named} and m.principal like '%/%') as roles
      from knowledge k
      where k.account_id = ${this.accountId}::uuid and k.id = ${knowledgeId}::uuid and k.audience_id is not null`);
  }

  /** Whether the peer said what the statement was drawn from, or passed it on. */
  async isSubmittedBy(knowledgeId: string, peerId: string): Promise<boolean> {
    return this.tx.oneFirst(sql.type(z.object({ is_submitter: z.boolean() }))`
      select exists (select from knowledge_submitters s
        where s.account_id = ${this.accountId}::uuid and s.knowledge_id = ${knowledgeId}::uuid
          and s.peer_id = ${peerId}::uuid) as is_submitter`);
  }
}
