/**
 * The append-only audit log. Written in the transaction of the change it tells of. An event carries ids,
 * roles, counts and codes; text of any other form is refused here, so that no name, path or sentence of a
 * person can reach a record that is never deleted.
 */
import { sql } from 'slonik';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { AccountStore } from '../account-store.ts';
import { recordedEvent } from '../promised.ts';

export type AuditCategory =
  | 'lifecycle'
  | 'gate'
  | 'attribution'
  | 'deletion'
  | 'configuration'
  | 'governance'
  | 'observation'
  | 'access';

export type AuditActor =
  | { readonly kind: 'credential'; readonly credentialId: string; readonly peerId: string | null }
  | { readonly kind: 'cli' | 'pipeline' | 'operator' };

export interface AuditEvent {
  /** Given where the event is known by an id already, which no event of the account has. */
  readonly id?: string;
  readonly category: AuditCategory;
  /** `noun.verb_in_past_tense`, lower case. */
  readonly action: string;
  readonly actor: AuditActor;
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly metadata?: Readonly<Record<string, string | number | boolean | null>>;
  /** SHA-256 of the content the event is about. */
  readonly contentHash?: Uint8Array;
  /** Whose words the content is: the hash is kept with a salt of that peer, which goes with its erasure. */
  readonly contentOf?: string | null;
}

/** Ids, hashes, ISO times, roles and codes; nothing that could be the words of a person. */
const TOKEN = /^[a-z0-9][a-z0-9_.:-]{0,63}$/i;
const metadataShape = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  z.union([z.string().regex(TOKEN), z.number(), z.boolean(), z.null()]),
);

function toRow(event: AuditEvent, accountId: string) {
  const { actor } = event;
  const metadata = metadataShape.safeParse(event.metadata ?? {});
  if (!metadata.success) throw new TypeError('audit metadata holds ids and codes only');
  return {
    account_id: accountId,
    id: event.id ?? uuidv7(),
    category: event.category,
    action: event.action,
    actor_kind: actor.kind,
    actor_peer_id: actor.kind === 'credential' ? actor.peerId : null,
    credential_id: actor.kind === 'credential' ? actor.credentialId : null,
    resource_type: event.resourceType,
    resource_id: event.resourceId,
    metadata: metadata.data,
    content_hash:
      event.contentHash === undefined ? null : Buffer.from(event.contentHash).toString('hex'),
    content_of: event.contentOf ?? null,
  };
}

/** The audit log of the account. */
export class AuditStore extends AccountStore {
  /** Appends the events in one round trip. */
  async record(...events: readonly AuditEvent[]): Promise<void> {
    if (events.length === 0) return;
    const rows = events.map((event) => toRow(event, this.accountId));
    for (const { id } of rows) recordedEvent(this.tx, id);
    await this.tx.query(sql.unsafe`
      insert into audit_events (account_id, id, category, action, actor_kind, actor_peer_id, credential_id,
        resource_type, resource_id, metadata, content_hash)
      select e.account_id, e.id, e.category, e.action, e.actor_kind, e.actor_peer_id, e.credential_id,
        e.resource_type, e.resource_id, e.metadata,
        case when e.content_of is null then decode(e.content_hash, 'hex')
          else salted_hash(e.account_id, e.content_of, decode(e.content_hash, 'hex')) end
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (
        account_id uuid, id uuid, category audit_category, action text, actor_kind actor_kind,
        actor_peer_id uuid, credential_id uuid, resource_type text, resource_id uuid, metadata jsonb,
        content_hash text, content_of uuid)`);
  }

  /** Those of the ids that are events of the account. */
  async known(ids: readonly string[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    return this.tx.anyFirst(sql.type(z.object({ id: z.string() }))`
      select id from audit_events
      where account_id = ${this.accountId}::uuid and id = any(${sql.array([...ids], 'uuid')})`);
  }
}
