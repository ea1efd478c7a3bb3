/** Makes each server fail on text that holds a canary, as no caller can, so that what its log says of it shows. */
import { Client } from 'pg';
import type { StackFiles } from './stack-files.ts';

export const SERVER_CANARIES = [
  'postgres_value',
  'postgres_row',
  'postgres_raise',
  'postgres_crash',
  'meilisearch_request',
  'qdrant_request',
] as const;

type Texts = Readonly<Record<(typeof SERVER_CANARIES)[number], string>>;

/** The SQLSTATE of a statement that must fail. */
async function failing(client: Client, statement: string, values: unknown[] = []): Promise<string> {
  try {
    await client.query(statement, values);
  } catch (error) {
    return String(Reflect.get(Object(error), 'code'));
  }
  throw new Error('the statement did not fail');
}

/** Statements that fail with a value, with a row, in a parameter, and with a message of their own. */
export async function failStatements(databaseUrl: string, canaries: Texts): Promise<string[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { postgres_value: value, postgres_row: row, postgres_raise: raise } = canaries;
    await client.query(
      'create temporary table kept (name text primary key, size int check (size > 0))',
    );
    await client.query('insert into kept values ($1, 1)', [row]);
    return [
      await failing(client, 'select $1::uuid', [value]),
      await failing(client, `select '${value}'::timestamptz`),
      await failing(client, `select ${value}`),
      await failing(client, 'insert into kept values ($1, 1)', [row]),
      await failing(client, 'insert into kept values ($1, 0)', [`${row} small`]),
      await failing(
        client,
        `do $$ begin raise warning '${raise}'; raise exception '${raise}'; end $$`,
      ),
      await failing(client, `set statement_timeout = 50; select pg_sleep(5), '${value}'`),
    ];
  } finally {
    await client.end();
  }
}

/** Kills a backend in the middle of a statement: the server then says what failed, and starts over. */
export async function crashBackend(databaseUrl: string, canaries: Texts): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  const ended = new Promise<void>((resolve) => client.on('error', () => resolve()));
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const sleeping = client
    .query(`select pg_sleep(60), '${canaries.postgres_crash}'`)
    .catch(() => 'cut');
  await new Promise((resolve) => setTimeout(resolve, 300));
  process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
  await Promise.all([sleeping, ended]);
  await client.end().catch(() => undefined);
}

type Request = readonly [method: string, path: string, body?: string];

async function statuses(
  base: string,
  headers: Readonly<Record<string, string>>,
  requests: readonly Request[],
): Promise<number[]> {
  const answers: number[] = [];
  for (const [method, path, body] of requests) {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
    await response.body?.cancel();
    answers.push(response.status);
  }
  return answers;
}

/** Refused requests and a task that fails. */
export function failMeilisearch(files: StackFiles, canaries: Texts): Promise<number[]> {
  const { meilisearch_request: text } = canaries;
  const base = `http://127.0.0.1:${files.ports['meilisearch']}`;
  const key = { authorization: `Bearer ${files.secrets.meilisearchMasterKey}` };
  return statuses(base, key, [
    ['GET', `/indexes/${text}?q=${text}`],
    ['POST', `/indexes/${text}/search`, JSON.stringify({ q: text, filter: `${text} = "${text}"` })],
    ['POST', '/indexes/canary/documents', `{"id": "${text}" `],
    ['POST', '/indexes/canary/documents', JSON.stringify([{ id: `${text} not an id`, text }])],
    ['POST', '/indexes/canary/documents', JSON.stringify([{ text }])],
    ['POST', '/indexes/canary/documents', JSON.stringify([{ id: 1, text }])],
    ['POST', '/indexes/canary/search', JSON.stringify({ q: text, filter: `${text} = 1` })],
  ]);
}

/** Refused requests: an unknown collection, malformed JSON, a bad filter, a vector of the wrong width. */
export function failQdrant(files: StackFiles, canaries: Texts): Promise<number[]> {
  const { qdrant_request: text } = canaries;
  const base = `http://127.0.0.1:${files.ports['qdrant']}`;
  const vectors = JSON.stringify({ vectors: { size: 4, distance: 'Cosine' } });
  const point = (id: unknown, vector: unknown): string =>
    JSON.stringify({ points: [{ id, vector, payload: { text } }] });
  return statuses(base, { 'api-key': files.secrets.qdrantApiKey }, [
    ['GET', `/collections/${text}?q=${text}`],
    ['PUT', '/collections/canary', vectors],
    ['PUT', '/collections/canary/points?wait=true', `{"points": [{"id": "${text}"`],
    ['PUT', '/collections/canary/points?wait=true', point(text, [1, 0, 0, 0])],
    ['PUT', '/collections/canary/points?wait=true', point(1, [1, 0])],
    ['PUT', '/collections/canary/points?wait=true', point(2, [1, 0, 0, 0])],
    [
      'POST',
      '/collections/canary/points/query',
      JSON.stringify({ query: text, filter: { [text]: text } }),
    ],
    ['POST', '/collections/canary/points/query', JSON.stringify({ query: text, using: text })],
    ['DELETE', '/collections/canary'],
  ]);
}
