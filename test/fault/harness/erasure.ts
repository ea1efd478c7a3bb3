/** What the tests of erasure ask of a running start, and what they find in it afterwards. */
import { Client } from 'pg';
import { z } from 'zod';
import type { RunningStack } from '../../../measure/stack.ts';
import { send } from '../../support/http.ts';
import { SCOPE } from './service-client.ts';
import { until } from './until.ts';
import { HANGS_MS } from '../../support/patience.ts';

const EXTRACTED_WITHIN_MS = HANGS_MS;

export interface ErasureScene {
  /** GET, or POST with a body. Throws unless it succeeds. */
  ask(path: string, token: string, json?: object): Promise<unknown>;
  /** As superuser, behind row security, on a connection of its own. */
  rows(query: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Says something in the name of the peer, and waits for the end of its extraction. */
  say(token: string, peer: string, content: string): Promise<void>;
  /** Hands in a version of the document of that name, and waits until it is read. */
  upload(token: string, name: string, text: string): Promise<void>;
  /** Every row of every table, as text. */
  everything(): Promise<string>;
}

/** The text member `name` of `data`. */
export function idOf(answer: unknown, name: string): string {
  const { data } = z.object({ data: z.looseObject({}) }).parse(answer);
  return z.string().parse(data[name]);
}

export function openErasureScene({ baseUrl, databaseUrl }: RunningStack): ErasureScene {
  const ask: ErasureScene['ask'] = async (path, token, json) => {
    const answer = await send(
      baseUrl,
      json === undefined ? { path, token } : { path, token, json },
    );
    if (answer.status < 300) return answer.json();
    throw new Error(`${path} answered with ${answer.status}: ${answer.text}`);
  };
  const rows: ErasureScene['rows'] = async (query, values = []) => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(query, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  return {
    ask,
    rows,
    async say(token, peer, content) {
      const turn = { session_id: `with-${peer}`, scope_path: SCOPE, peer_key: peer, content };
      const id = idOf(await ask('/api/v1/ingest', token, turn), 'message_id');
      await until('it is extracted', EXTRACTED_WITHIN_MS, async () => {
        const status = await ask(`/api/v1/ingest/${id}?wait_ms=5000`, token);
        return idOf(status, 'status') === 'completed';
      });
    },
    async upload(token, name, text) {
      const version = idOf(
        await ask('/api/v1/documents', token, {
          scope_path: SCOPE,
          media_type: 'text/plain',
          external_id: name,
          title: name,
          content_base64: Buffer.from(text).toString('base64'),
        }),
        'document_version_id',
      );
      await until('the document is read', EXTRACTED_WITHIN_MS, async () => {
        return idOf(await ask(`/api/v1/documents/${version}`, token), 'status') === 'completed';
      });
    },
    async everything() {
      const tables = await rows(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
      );
      const texts: string[] = [];
      for (const { relname } of tables) {
        const stored = await rows(`select to_jsonb(t)::text as row from ${String(relname)} t`);
        texts.push(...stored.map((row) => String(row['row'])));
      }
      return texts.join('\n');
    },
  };
}
