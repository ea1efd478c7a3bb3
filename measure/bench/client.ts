/** A client of the service that works as an agent does: over HTTP, with a key. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const REQUEST_TIMEOUT_MS = 30_000;
const LONGEST_WAIT_MS = 10_000;
const LARGEST_PAGE = 100;

export interface Observation {
  readonly session_id: string;
  readonly scope_path: string;
  readonly peer_key: string;
  readonly role?: string;
  readonly occurred_at: string;
  readonly content: string;
}

const accepted = z.object({ data: z.object({ message_id: z.uuid() }) });

const statement = z.object({
  id: z.uuid(),
  statement: z.string().nullable(),
  corroboration_count: z.number(),
  source_message_ids: z.array(z.uuid()),
  evidence_level: z.enum(['direct', 'indirect']),
  relevant_from: z.string().nullable(),
  relevant_until: z.string().nullable(),
});
export type Statement = z.infer<typeof statement>;

const ingestStatus = z.object({
  data: z.object({
    status: z.enum(['pending', 'failed', 'completed', 'repairable', 'terminal']),
    knowledge: z.array(statement),
  }),
});
export type IngestStatus = z.infer<typeof ingestStatus>['data'];

const searchAnswer = z.object({
  data: z.object({
    candidates: z.array(
      z.object({
        id: z.uuid(),
        statement: z.string().nullable(),
        source_message_ids: z.array(z.uuid()),
      }),
    ),
  }),
});
export type Candidate = z.infer<typeof searchAnswer>['data']['candidates'][number];

const sourcesAnswer = z.object({
  data: z.object({ results: z.array(z.object({ message_id: z.uuid() })) }),
});

const credentials = z.object({
  base_url: z.url(),
  agent: z.object({ api_key: z.string() }),
});

export interface Client {
  /** Answers the message id. */
  ingest(observation: Observation, idempotencyKey?: string): Promise<string>;
  /** The status once it is final, or the present one after ten seconds. */
  settled(messageId: string): Promise<IngestStatus>;
  search(query: string, scopePath: string): Promise<readonly Candidate[]>;
  /** Ids of the messages that hold words of the query, or stand beside such. */
  sources(query: string, scopePath: string): Promise<readonly string[]>;
  /** Counts the statements of the scope that have this state, on one page; `complete` says whether that is all. */
  countInState(scopePath: string, state: string): Promise<{ count: number; complete: boolean }>;
}

export interface Access {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Address and agent key of the file that the one-command start leaves. */
export function readAccess(credentialsFile: string): Access {
  const { base_url, agent } = credentials.parse(JSON.parse(readFileSync(credentialsFile, 'utf8')));
  return { baseUrl: base_url, apiKey: agent.api_key };
}

/** Every call throws, with status and path, on anything but success. */
export function createClient({ baseUrl, apiKey }: Access): Client {
  async function call(path: string, body?: unknown, key?: string): Promise<unknown> {
    const response = await fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`${path.split('?', 1)[0]} answered ${response.status}`);
    return response.json();
  }

  return {
    async ingest(observation, idempotencyKey) {
      const answer = await call('/api/v1/ingest', observation, idempotencyKey);
      return accepted.parse(answer).data.message_id;
    },
    async settled(messageId) {
      const path = `/api/v1/ingest/${messageId}?wait_ms=${LONGEST_WAIT_MS}`;
      return ingestStatus.parse(await call(path)).data;
    },
    async search(query, scopePath) {
      const answer = await call('/api/v1/search', { query, scope_path: scopePath });
      return searchAnswer.parse(answer).data.candidates;
    },
    async sources(query, scopePath) {
      const body = { query, scope_path: scopePath, mode: 'exact' };
      const answer = await call('/api/v1/source-search', body);
      return sourcesAnswer.parse(answer).data.results.map(({ message_id: id }) => id);
    },
    async countInState(scopePath, state) {
      const query = new URLSearchParams({
        scope_path: scopePath,
        state,
        limit: String(LARGEST_PAGE),
      });
      const answer = await call(`/api/v1/knowledge?${query.toString()}`);
      const rows = z.object({ data: z.array(z.object({ scope_path: z.string() })) }).parse(answer);
      const count = rows.data.filter((row) => row.scope_path === scopePath).length;
      return { count, complete: rows.data.length < LARGEST_PAGE };
    },
  };
}
