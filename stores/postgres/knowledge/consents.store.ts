/** Consents: what a subject is asked, and answered, about a statement in one scope. */
import { sql } from 'slonik';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';

export const CONSENT_STATES = ['pending', 'granted', 'denied'] as const;
export type ConsentState = (typeof CONSENT_STATES)[number];

const consentRow = z.object({
  id: z.string(),
  knowledge_id: z.string(),
  subject_peer_id: z.string(),
  target_scope_id: z.string(),
  target_scope_path: z.string(),
  status: z.enum(CONSENT_STATES),
  requested_at: z.string(),
  decided_at: z.string().nullable(),
});
export type ConsentRow = z.infer<typeof consentRow>;

const consentColumns = sql.fragment`
  c.id, c.knowledge_id, c.subject_peer_id, c.target_scope_id, s.path as target_scope_path, c.status, c.requested_at,
  c.decided_at
  from consents c join scopes s on s.account_id = c.account_id and s.id = c.target_scope_id`;

const decidedRow = z.object({
  consent_id: z.string(),
  knowledge_id: z.string(),
  scope_id: z.string(),
});

/** Consents of the account. */
export class ConsentsStore extends AccountStore {
  async find(id: string): Promise<ConsentRow | null> {
    return this.tx.maybeOne(sql.type(consentRow)`
      select ${consentColumns} where c.account_id = ${this.accountId}::uuid and c.id = ${id}::uuid`);
  }

  /** What the subject was asked about the statement in the scope. */
  async about(knowledgeId: string, targetScopeId: string): Promise<ConsentRow | null> {
    return this.tx.maybeOne(sql.type(consentRow)`
      select ${consentColumns}
      where c.account_id = ${this.accountId}::uuid and c.knowledge_id = ${knowledgeId}::uuid
        and c.target_scope_id = ${targetScopeId}::uuid`);
  }

  /** What the person was asked, the newest first, after one of them. */
  async of(
    subjectPeerId: string,
    page: { readonly afterId: string | null; readonly limit: number },
  ): Promise<readonly ConsentRow[]> {
    const after =
      page.afterId === null ? sql.fragment`true` : sql.fragment`c.id < ${page.afterId}::uuid`;
    return this.tx.any(sql.type(consentRow)`
      select ${consentColumns}
      where c.account_id = ${this.accountId}::uuid and c.subject_peer_id = ${subjectPeerId}::uuid and ${after}
      order by c.id desc limit ${page.limit}`);
  }

  /** Enters the question under an id that it had before, unless the subject was asked. */
  async enter(
    asked: Omit<z.infer<typeof decidedRow>, 'scope_id'> & {
      readonly subject_peer_id: string;
      readonly scope_id: string;
    },
  ): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into consents (account_id, id, knowledge_id, subject_peer_id, target_scope_id, channel)
      select ${this.accountId}::uuid, ${asked.consent_id}::uuid, ${asked.knowledge_id}::uuid,
        ${asked.subject_peer_id}::uuid, s.id, 'cli'
      from scopes s where s.account_id = ${this.accountId}::uuid and s.id = ${asked.scope_id}::uuid
      on conflict on constraint consent_is_asked_once do nothing`);
  }

  /** Writes the person's answer. */
  async decide(id: string, status: 'granted' | 'denied', decidedBy: string): Promise<void> {
    const decided = await this.tx.maybeOne(sql.type(decidedRow)`
      update consents
      set status = ${status}::consent_status, channel = 'api', verified = true, decided_by = ${decidedBy}::uuid,
        decided_at = clock_timestamp()
      where account_id = ${this.accountId}::uuid and id = ${id}::uuid
      returning id as consent_id, knowledge_id, target_scope_id as scope_id`);
    if (status === 'denied' && decided !== null)
      this.promise({ kind: 'consent_denied', ...decided });
  }
}
