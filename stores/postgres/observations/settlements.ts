/**
 * Tells who waits, in every process, that extractions of an account have come to their end. Postgres sends a notice when
 * the transaction commits that ended them. A notice names the account alone.
 */
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { sql, type FragmentSqlToken } from 'slonik';

const CHANNEL = 'vouch_settled';
/** After the connection is lost, the pause before another one is opened. */
const RETRY_AFTER_MS = 1_000;
const CONNECT_WITHIN_MS = 5_000;

/** Sends the notice, once for each account, when the transaction of the SQL statement commits. */
export function tellSettled(accountId: FragmentSqlToken): FragmentSqlToken {
  return sql.fragment`pg_notify(${CHANNEL}, ${accountId}::text)`;
}

/**
 * Listens on a connection of its own, which is opened when somebody first waits. While there is none, nobody hears
 * anything: who waits has to look again from time to time.
 */
export class Settlements {
  readonly #url: string;
  readonly #waiting = new Map<string, Set<AbortController>>();
  #client: Client | null = null;
  #notBefore = 0;
  #isClosed = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Resolves when an extraction of the account may have ended, after `ms`, or when the signal is aborted. */
  async next(accountId: string, ms: number, signal: AbortSignal): Promise<void> {
    this.#listen();
    const heard = new AbortController();
    const ofAccount = this.#waiting.get(accountId) ?? new Set();
    this.#waiting.set(accountId, ofAccount.add(heard));
    try {
      await setTimeout(ms, undefined, { signal: AbortSignal.any([signal, heard.signal]) });
    } catch (error) {
      if (!heard.signal.aborted && !signal.aborted) throw error;
    } finally {
      ofAccount.delete(heard);
      if (ofAccount.size === 0) this.#waiting.delete(accountId);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#tellAll();
    await this.#client?.end().catch(() => undefined);
  }

  #listen(): void {
    if (this.#isClosed || this.#client !== null || performance.now() < this.#notBefore) return;
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
    });
    this.#client = client;
    const lost = (): void => this.#lost(client);
    client.on('notification', ({ payload }) => this.#tell(payload ?? ''));
    client.on('error', lost);
    client.on('end', lost);
    client
      .connect()
      .then(() => client.query(`listen ${CHANNEL}`))
      // What ended before was not heard.
      .then(() => this.#tellAll(), lost);
  }

  #lost(client: Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#notBefore = performance.now() + RETRY_AFTER_MS;
    client.end().catch(() => undefined);
  }

  #tell(accountId: string): void {
    for (const heard of this.#waiting.get(accountId) ?? []) heard.abort();
  }

  #tellAll(): void {
    for (const accountId of this.#waiting.keys()) this.#tell(accountId);
  }
}
