/** Browser sessions: what a session has beside its credential, which says whose it is and when it ends at the latest. */
import { sql } from 'slonik';
import { z } from 'zod';
import { LONGEST_IDLE_MS, SEEN_AGAIN_AFTER_MS } from '../../../domain/identity/browser-session.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { AccountStore } from '../account-store.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { AccountCallersStore } from './caller.store.ts';
import { lookupCredential } from './directory.ts';

const seenRow = z.object({ credential_id: z.uuid(), is_long_ago: z.boolean() });

const toolRun = z.object({ tool: z.string(), at: z.string(), code: z.string(), ms: z.number() });
/** A run of a tool, without its arguments and its answer. */
export type ToolRun = z.infer<typeof toolRun>;

const before = (now: Date, ms: number): string => new Date(now.getTime() - ms).toISOString();

/** Sessions of the account. */
export class BrowserSessionsStore extends AccountStore {
  /** Makes a session of the credential, seen at `now`. */
  async begin(credentialId: string, now: Date): Promise<void> {
    await this.tx.query(sql.unsafe`
      insert into browser_sessions (account_id, credential_id, last_seen_at)
      values (${this.accountId}::uuid, ${credentialId}::uuid, ${now.toISOString()}::timestamptz)`);
  }

  /** Ends the session of the credential, and answers whether there was one. */
  async end(credentialId: string): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      delete from browser_sessions
      where account_id = ${this.accountId}::uuid and credential_id = ${credentialId}::uuid`);
    return rowCount > 0;
  }

  /** Removes up to `limit` sessions that were idle too long, the oldest first. */
  async removeEnded(now: Date, limit: number): Promise<void> {
    await this.tx.query(sql.unsafe`
      delete from browser_sessions
      where account_id = ${this.accountId}::uuid and credential_id = any(array(
        select credential_id from browser_sessions
        where account_id = ${this.accountId}::uuid
          and last_seen_at <= ${before(now, LONGEST_IDLE_MS)}::timestamptz
        order by last_seen_at limit ${limit} for update skip locked))`);
  }

  /** The last runs of tools in the session, the latest first. */
  async toolRuns(credentialId: string): Promise<readonly ToolRun[]> {
    const runs = await this.tx.maybeOneFirst(sql.type(z.object({ tool_runs: z.array(toolRun) }))`
      select tool_runs from browser_sessions
      where account_id = ${this.accountId}::uuid and credential_id = ${credentialId}::uuid`);
    return runs ?? [];
  }

  /** Puts the run before the others and keeps `most`. False where the session has ended. */
  async noteToolRun(credentialId: string, run: ToolRun, most: number): Promise<boolean> {
    const { rowCount } = await this.tx.query(sql.unsafe`
      update browser_sessions set tool_runs = jsonb_path_query_array(
        jsonb_build_array(${JSON.stringify(run)}::jsonb) || tool_runs,
        '$[0 to $last]', jsonb_build_object('last', ${most - 1}::integer))
      where account_id = ${this.accountId}::uuid and credential_id = ${credentialId}::uuid`);
    return rowCount > 0;
  }

  /** Whether the session has been used within the last hour; then it counts as seen at `now`. */
  async see(credentialId: string, now: Date): Promise<boolean> {
    const seen = await this.tx.maybeOne(sql.type(seenRow)`
      select credential_id, last_seen_at <= ${before(now, SEEN_AGAIN_AFTER_MS)}::timestamptz as is_long_ago
      from browser_sessions
      where account_id = ${this.accountId}::uuid and credential_id = ${credentialId}::uuid
        and last_seen_at > ${before(now, LONGEST_IDLE_MS)}::timestamptz`);
    if (seen?.is_long_ago === true) {
      await this.tx.query(sql.unsafe`
        update browser_sessions set last_seen_at = greatest(last_seen_at, ${now.toISOString()}::timestamptz)
        where account_id = ${this.accountId}::uuid and credential_id = ${credentialId}::uuid`);
    }
    return seen !== null;
  }
}

/** Who is behind the session with this SHA-256 at `now`, or null: it never was, was idle too long, or has ended. */
async function callerOfSession(
  db: Queryable,
  secretHash: Uint8Array,
  now: Date,
): Promise<Caller | null> {
  const found = await lookupCredential(db, secretHash);
  if (found === null) return null;
  const { accountId, credentialId } = found;
  return withAccount(db, accountId, async (tx) => {
    if (!(await new BrowserSessionsStore(tx, accountId).see(credentialId, now))) return null;
    return new AccountCallersStore(tx, accountId).find(credentialId, now);
  });
}

/** The callers behind browser sessions of all accounts. */
export class BrowserSessionCallerStore extends PoolStore {
  /** See `callerOfSession`. Asks the database each time, so a session that ended opens nothing any more. */
  async resolve(secretHash: Uint8Array, now: Date): Promise<Caller | null> {
    return callerOfSession(this.db, secretHash, now);
  }
}
