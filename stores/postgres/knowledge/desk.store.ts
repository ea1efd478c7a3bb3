/** What a person decides about one statement: found, locked, read with all that a decision needs, and written. */
import { sql, type FragmentSqlToken } from 'slonik';
import { z } from 'zod';
import { TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import type { PlacedScope } from '../../../domain/scopes/chain-ids.ts';
import { EVERYTHING, meantFor, type Condition } from '../../../domain/governance/visibility.ts';
import { renderVisibility } from '../visibility/statements.ts';
import { AccountStore } from '../account-store.ts';
import { carryOut, type CommitWork } from './commit.store.ts';
import {
  ensureMailbox,
  loadStatements,
  pageColumns,
  pageRow,
  type PageRow,
} from './regate.store.ts';
import { type ClaimedAttribute, type LoadedKnowledge } from './state.ts';
import { subjectLocks } from '../subject-locks.ts';

const foundRow = pageRow.extend({
  subject_peer_id: z.string().nullable(),
  /** Key and name of the peer that the statement is about; none for a scope. */
  subject_names: z.array(z.string()),
  target_level: z.enum(TARGET_LEVELS),
  scope_path: z.string(),
});
export type FoundStatement = z.infer<typeof foundRow>;

const consentRow = z.object({
  target_scope_id: z.string(),
  status: z.enum(['pending', 'granted', 'denied']),
});

export interface DeskState extends LoadedKnowledge {
  /** Every scope of the chain of the statement. */
  readonly scopes: readonly PlacedScope[];
  /** The subject's consents, by the scope that they are for. A grant counts if its channel was verified. */
  readonly consents: ReadonlyMap<string, z.infer<typeof consentRow>['status']>;
}

export class DeskStore extends AccountStore {
  /** The statement, if there is one; nothing is locked, and nothing is said of who may see it. */
  find(id: string): Promise<FoundStatement | null> {
    return this.which(id, EVERYTHING);
  }

  /** The same, if its audience does not leave out the person who decides. */
  findFor(id: string, peerId: string | null): Promise<FoundStatement | null> {
    return this.which(id, meantFor(peerId));
  }

  private async which(id: string, is: Condition): Promise<FoundStatement | null> {
    return this.tx.maybeOne(sql.type(foundRow)`
      select ${pageColumns}, k.subject_peer_id, k.target_level, s.path as scope_path,
        array_remove(array[subject.name, subject.key], null) as subject_names
      from knowledge k join scopes s on s.account_id = k.account_id and s.id = k.scope_id
      left join peers subject on subject.account_id = k.account_id and subject.id = k.subject_peer_id
      where k.account_id = ${this.accountId}::uuid and k.id = ${id}::uuid and ${renderVisibility(is)}`);
  }

  /**
   * Locks the subject until the transaction ends, and reads the statement with those that it is compared with. `beside`
   * are other statements, or texts that the statement may get, and attributes that these claim. Null where the
   * statement was erased while this waited.
   */
  async lock(
    found: FoundStatement,
    beside: {
      readonly rows?: readonly PageRow[];
      readonly claims?: readonly ClaimedAttribute[];
    } = {},
  ): Promise<DeskState | null> {
    const { claims, rows = [] } = beside;
    const all = [found, ...rows];
    const subjectIds = [...new Set(all.map((row) => row.subject_id))];
    await this.tx.query(sql.unsafe`${subjectLocks(this.accountId, subjectIds)}`);
    const state = await loadStatements(this.tx, this.accountId, all, claims);
    if (!state.statements.some(({ id }) => id === found.id)) return null;
    const consents = await this.tx.any(sql.type(consentRow)`
      select target_scope_id, case when status = 'granted' and not verified then 'pending' else status end as status
      from consents where account_id = ${this.accountId}::uuid and knowledge_id = ${found.id}::uuid`);
    return {
      ...state,
      consents: new Map(consents.map((row) => [row.target_scope_id, row.status])),
    };
  }

  /**
   * Whether the peer is the subject or a submitter of the statement, and a person who is neither could decide about it:
   * one who can sign in and is curator or administrator at its scope.
   */
  async isPartyBesideOthers(found: FoundStatement, peerId: string): Promise<boolean> {
    const chain = sql.fragment`text_hashes(scope_chain(${found.scope_path}))`;
    const applies = sql.fragment`(g.propagate or g.scope_path = ${found.scope_path})`;
    const isParty = (
      peer: FragmentSqlToken,
    ) => sql.fragment`(${peer} is not distinct from ${found.subject_peer_id}::uuid
      or exists (select from knowledge_submitters s
        where s.account_id = ${this.accountId}::uuid and s.knowledge_id = ${found.id}::uuid and s.peer_id = ${peer}))`;
    return this.tx.oneFirst(sql.type(z.object({ is_party_beside_others: z.boolean() }))`
      select ${isParty(sql.fragment`${peerId}::uuid`)} and exists (
        select from grants g
        join logins l on l.account_id = g.account_id and l.peer_id = g.peer_id and l.closed_at is null
        where g.account_id = ${this.accountId}::uuid and g.scope_path_hash = any(${chain}) and ${applies}
          and g.effect = 'allow' and g.role in ('curator', 'account_admin') and g.peer_id is not null
          and not ${isParty(sql.fragment`g.peer_id`)}
          and not exists (
            select from grants denied
            where denied.account_id = g.account_id and denied.peer_id = g.peer_id and denied.effect = 'deny'
              and denied.scope_path_hash = any(${chain})
              and (denied.propagate or denied.scope_path = ${found.scope_path}))
      ) as is_party_beside_others`);
  }

  /** Whether the peer attests the statement as a speaker; null: it never said it. */
  async attests(knowledgeId: string, peerId: string): Promise<boolean | null> {
    const row = await this.tx.maybeOne(sql.type(z.object({ attests: z.boolean() }))`
      select not withdrawn as attests from knowledge_attesters
      where account_id = ${this.accountId}::uuid and knowledge_id = ${knowledgeId}::uuid
        and attester_id = ${peerId}::uuid and peer_id is not null`);
    return row?.attests ?? null;
  }

  /** The peer attests the statement no more, until it says it again. The caller holds the lock, and writes what follows. */
  async withdrawAttestation(knowledgeId: string, peerId: string): Promise<void> {
    await this.tx.query(sql.unsafe`
      update knowledge_attesters set withdrawn = true
      where account_id = ${this.accountId}::uuid and knowledge_id = ${knowledgeId}::uuid
        and attester_id = ${peerId}::uuid and peer_id is not null`);
    this.promise({ kind: 'attestation_withdrawn', knowledge_id: knowledgeId, peer_id: peerId });
  }

  /** How many speakers and documents are among the sources of the statements. */
  async attesters(ids: readonly string[]): Promise<number> {
    return this.tx.oneFirst(sql.type(z.object({ n: z.number() }))`
      select count(distinct a.attester_id) as n from knowledge_attesters a
      where a.account_id = ${this.accountId}::uuid and a.knowledge_id = any(${sql.array([...ids], 'uuid')})
        and not a.withdrawn`);
  }

  /** Writes what was decided under the lock. */
  async write(work: CommitWork): Promise<void> {
    await ensureMailbox(this.tx, this.accountId, work.writes.shard);
    await carryOut(this.tx, this.accountId, work);
  }
}
