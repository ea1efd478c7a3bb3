/** Observations for tests of mailboxes, stored by the same SQL function that ingest calls. */
import { createHash } from 'node:crypto';
import type { Client, Pool } from 'pg';
import { sql } from 'slonik';
import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import type { Queryable } from '../../stores/postgres/pool.ts';

export interface Account {
  readonly accountId: string;
  readonly credentialId: string;
  readonly scopeId: string;
  readonly peerId: string;
}

export interface Observation {
  readonly messageId: string;
  readonly shard: number;
}

/** An account with its root scope, one peer and a key. As superuser: row security does not hold. */
export async function insertAccount(client: Client | Pool): Promise<Account> {
  const account = { accountId: uuid(), credentialId: uuid(), scopeId: uuid(), peerId: uuid() };
  const { accountId, credentialId, scopeId, peerId } = account;
  await client.query('insert into accounts (id, key, name) values ($1, $2, $2)', [
    accountId,
    accountId,
  ]);
  await client.query(`insert into scopes (account_id, id, path) values ($1, $2, '/')`, [
    accountId,
    scopeId,
  ]);
  await client.query(
    `insert into peers (account_id, id, key, name, kind) values ($1, $2, 'p', 'p', 'human')`,
    [accountId, peerId],
  );
  const hash = createHash('sha256').update(accountId).digest();
  await client.query(
    `insert into credentials (account_id, id, kind, secret_hash, peer_id) values ($1, $2, 'api_key', $3, $4)`,
    [accountId, credentialId, hash, peerId],
  );
  return account;
}

const stored = z.object({ message_id: z.string(), shard: z.number().int() });

/** Stores one observation in `session`; `shards` bounds the mailboxes of the account. */
export async function observe(
  db: Queryable,
  account: Account,
  session: string,
  shards = 1,
): Promise<Observation> {
  const messageId = uuid();
  const content = `observation ${messageId}`;
  const sent = {
    place: 1,
    credential_id: account.credentialId,
    caller_peer_id: account.peerId,
    is_vouched: false,
    scope_path: '/',
    scope_ids: [account.scopeId],
    session,
    session_id: uuid(),
    message_id: messageId,
    role: 'user',
    content_hash: `\\x${createHash('sha256').update(content).digest('hex')}`,
    occurred_at: '2026-05-01T10:00:00Z',
    occurred_offset_minutes: 0,
    trace_id: '0'.repeat(32),
    audit_id: uuid(),
  };
  const row = await db.one(sql.type(stored)`
    select message_id, shard from ingest_observations(
      ${account.accountId}::uuid, ${shards}, ${JSON.stringify([sent])}::json, ${sql.array([content], 'text')}, null,
      0, '[]')`);
  return { messageId: row.message_id, shard: row.shard };
}
