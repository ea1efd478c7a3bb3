/** What the fault tests ask Postgres, behind row security. Questions outlive a server that is killed. */
import { Client } from 'pg';
import { z } from 'zod';

export interface Watch {
  /** Answers of a query; null while Postgres does not answer. */
  ask<T>(shape: z.ZodType<T>, query: string): Promise<readonly T[] | null>;
  close(): Promise<void>;
}

/** One connection, opened again after each loss. */
export function openWatch(databaseUrl: string): Watch {
  let client: Client | null = null;

  const drop = async (lost: Client): Promise<void> => {
    if (client === lost) client = null;
    await lost.end().catch(() => undefined);
  };
  const connected = async (): Promise<Client> => {
    if (client !== null) return client;
    const fresh = new Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: 2_000,
      query_timeout: 10_000,
    });
    // A loss between two queries is reported only here.
    fresh.on('error', () => void drop(fresh));
    await fresh.connect();
    client = fresh;
    return fresh;
  };

  return {
    async ask(shape, query) {
      try {
        const { rows } = await (await connected()).query<Record<string, unknown>>(query);
        return rows.map((row) => shape.parse(row));
      } catch (error) {
        if (error instanceof z.ZodError) throw error;
        if (client !== null) await drop(client);
        return null;
      }
    },
    async close() {
      if (client !== null) await drop(client);
    },
  };
}

const count = z.object({ total: z.number() });

async function countOf(watch: Watch, query: string): Promise<number | null> {
  return (await watch.ask(count, query))?.[0]?.total ?? null;
}

const work = z.object({
  holds: z.number(),
  between: z.number(),
  committed: z.array(z.string()),
});

export interface WorkUnderWay {
  /** Anchors that a drain, the current one of its mailbox, holds and has not committed. */
  readonly holds: number;
  /** Anchors whose statements are committed and that are not completed. */
  readonly between: number;
  /** Messages whose statements are committed. */
  readonly committed: readonly string[];
}

/** How far extraction is just now; null while Postgres does not answer. */
export async function workUnderWay(watch: Watch): Promise<WorkUnderWay | null> {
  const rows = await watch.ask(
    work,
    `select
       count(*) filter (where a.status in ('pending', 'failed') and a.extracted_at is null
         and a.claim_epoch = m.epoch and m.awake_until > clock_timestamp())::int as holds,
       count(*) filter (where a.status in ('pending', 'failed') and a.extracted_at is not null)::int as between,
       coalesce(array_agg(a.message_id::text) filter (where a.extracted_at is not null), '{}') as committed
     from extraction_anchors a
     join mailboxes m on m.account_id = a.account_id and m.shard = a.shard and m.kind = 'ingest'`,
  );
  return rows?.[0] ?? null;
}

/** How many messages have their statements committed. */
export function committedCount(watch: Watch): Promise<number | null> {
  return countOf(
    watch,
    `select count(*)::int as total from extraction_anchors where extracted_at is not null`,
  );
}

export function unfinishedAnchors(watch: Watch): Promise<number | null> {
  return countOf(
    watch,
    `select count(*)::int as total from extraction_anchors where status in ('pending', 'failed')`,
  );
}

export function marksLeft(watch: Watch): Promise<number | null> {
  return countOf(watch, `select count(*)::int as total from dirty_marks`);
}

/** Ledger rows of the extractor that tell of a call without its outcome. */
export function openExtractions(watch: Watch): Promise<number | null> {
  return countOf(
    watch,
    `select count(*)::int as total from provider_attempts where state in ('reserved', 'dispatched')
       and role = 'ingest_extractor'`,
  );
}
