/**
 * How one statement stands with gates, people and the indexes, for an operator. No text is read. The operator may know of
 * every statement of the account, so nothing here asks who may read it; `readBy` says who may.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import { fieldConditions } from '../../../domain/explain/conditions.ts';
import { ITEM_KINDS, ITEM_STATES } from '../../../domain/governance/items.ts';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { VERIFICATIONS } from '../../../domain/statements/statement.ts';
import { AccountStore } from '../account-store.ts';
import { instant } from '../columns.ts';
import { CONSENT_STATES } from '../knowledge/consents.store.ts';
import { renderReadable, renderVisibility } from '../visibility/statements.ts';
import { storedScopePath } from '../scopes/stored-path.ts';
import { explainedMarks, marksOf } from './marks.ts';

/** The latest decisions, the items that are due first, the consents (those that wait first) and the sources of one statement. */
const MOST_DECISIONS = 10;
const MOST_ITEMS = 20;
const MOST_CONSENTS = 20;
const MOST_SOURCES = 50;

const decisionShape = z.object({
  gate: z.string(),
  decision: z.string(),
  reason: z.string(),
  channel: z.string(),
  decided_at: instant,
  /** Null where no rule of a scope decided: the account's, a built-in one, or a person. */
  rule_scope_path: z.string().nullable(),
});

const itemShape = z.object({
  id: z.string(),
  kind: z.enum(ITEM_KINDS),
  state: z.enum(ITEM_STATES),
  reason: z.string(),
  open_since: instant,
  due_at: instant,
});

const consentShape = z.object({
  status: z.enum(CONSENT_STATES),
  target_scope_path: z.string(),
  requested_at: instant,
  decided_at: instant.nullable(),
});

const statementRow = z.object({
  id: z.string(),
  state: z.enum(KNOWLEDGE_STATES),
  verification: z.enum(VERIFICATIONS),
  sensitivity: z.enum(SENSITIVITIES),
  target_level: z.enum(TARGET_LEVELS),
  scope_path: storedScopePath,
  held_scope_path: z.string().nullable(),
  /** Null of a statement about a scope. */
  subject_key: z.string().nullable(),
  is_subject_erasing: z.boolean(),
  confidence: z.number(),
  corroboration: z.number(),
  sources: z.number(),
  submitters: z.number(),
  recorded_at: z.string(),
  updated_at: z.string(),
  relevant_from: z.string().nullable(),
  relevant_until: z.string().nullable(),
  expires_at: z.string().nullable(),
  revalidate_after: z.string().nullable(),
  row_version: z.number(),
  merged_into_id: z.string().nullable(),
  newer_id: z.string().nullable(),
  source_message_ids: z.array(z.string()),
  decisions: z.array(decisionShape),
  items: z.array(itemShape),
  consents: z.array(consentShape),
  marks: explainedMarks,
});
export type ExplainedStatementRow = z.output<typeof statementRow>;

const DECISIONS = sql.fragment`
  (select coalesce(jsonb_agg(jsonb_build_object('gate', d.gate, 'decision', d.decision, 'reason', d.reason,
      'channel', d.channel, 'decided_at', d.decided_at, 'rule_scope_path', d.path)), '[]')
    from (
      select g.gate, g.decision, g.reason, g.channel, g.decided_at, ruled.path from gate_decisions g
      left join gate_rules rule on rule.account_id = g.account_id and rule.id = g.rule_id
      left join scopes ruled on ruled.account_id = rule.account_id and ruled.id = rule.scope_id
      where g.account_id = k.account_id and g.knowledge_id = k.id
      order by g.decided_at desc, g.id desc limit ${MOST_DECISIONS}) d) as decisions`;

const ITEMS = sql.fragment`
  (select coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'kind', i.kind, 'state', i.state, 'reason', i.reason,
      'open_since', i.created_at, 'due_at', i.due_at)), '[]')
    from (
      select item.id, item.kind, item.state, item.reason, item.created_at, item.due_at from review_items item
      where item.account_id = k.account_id and item.knowledge_id = k.id and item.decided_at is null
      order by item.due_at, item.id limit ${MOST_ITEMS}) i) as items`;

const CONSENTS = sql.fragment`
  (select coalesce(jsonb_agg(jsonb_build_object('status', c.status, 'target_scope_path', target.path,
      'requested_at', c.requested_at, 'decided_at', c.decided_at) order by c.requested_at, c.id), '[]')
    from (
      select consent.id, consent.account_id, consent.target_scope_id, consent.status, consent.requested_at,
        consent.decided_at from consents consent
      where consent.account_id = k.account_id and consent.knowledge_id = k.id
      order by consent.status = 'pending' desc, consent.requested_at desc, consent.id desc limit ${MOST_CONSENTS}) c
    join scopes target on target.account_id = c.account_id and target.id = c.target_scope_id) as consents`;

const judgedRow = z.object({ is_readable: z.boolean(), truths: z.array(z.boolean()) });

/** Statements of the account, as an operator has them explained. */
export class ExplainedStatementsStore extends AccountStore {
  /** Null without such a statement. One query. */
  async find(knowledgeId: string): Promise<ExplainedStatementRow | null> {
    return this.tx.maybeOne(sql.type(statementRow)`
      select k.id, k.state, k.verification, k.sensitivity, k.target_level, scope.path as scope_path,
        held.path as held_scope_path, subject.key as subject_key,
        coalesce(subject.erasing_at is not null, false) as is_subject_erasing, k.confidence,
        k.corroboration_count as corroboration, k.source_count as sources, k.submitter_count as submitters,
        k.recorded_at, k.updated_at, k.relevant_from, k.relevant_until, k.expires_at, k.revalidate_after, k.row_version,
        k.merged_into_id,
        coalesce(k.updated_by_id, (
          select newer.id from knowledge newer
          where newer.account_id = k.account_id and newer.supersedes_id = k.id order by newer.id desc limit 1), (
          select edited.id from knowledge edited
          where edited.account_id = k.account_id and edited.replaces_id = k.id order by edited.id desc limit 1))
          as newer_id,
        array(select p.message_id from provenance p
          where p.account_id = k.account_id and p.knowledge_id = k.id
          order by p.message_id limit ${MOST_SOURCES}) as source_message_ids,
        ${DECISIONS}, ${ITEMS}, ${CONSENTS},
        ${marksOf('statement', sql.fragment`k.account_id`, sql.fragment`k.id`)} as marks
      from knowledge k
      join scopes scope on scope.account_id = k.account_id and scope.id = k.scope_id
      left join scopes held on held.account_id = k.account_id and held.id = k.held_scope_id
      left join peers subject on subject.account_id = k.account_id and subject.id = k.subject_peer_id
      where k.account_id = ${this.accountId}::uuid and k.id = ${knowledgeId}::uuid`);
  }

  /**
   * Whether the predicate lets the statement be read, and which of its single conditions hold, in the order of
   * `fieldConditions`.
   */
  async readBy(knowledgeId: string, visible: Condition): Promise<z.infer<typeof judgedRow>> {
    const truths = fieldConditions(visible).map((one) => renderVisibility(one));
    return this.tx.one(sql.type(judgedRow)`
      select ${renderReadable(visible)} as is_readable, array[${sql.join(truths, sql.fragment`, `)}] as truths
      from knowledge k where k.account_id = ${this.accountId}::uuid and k.id = ${knowledgeId}::uuid`);
  }
}
