/** A client of Vouch in one file: nothing but fetch. `node client.ts`, in the folder of a running `npm start`. */
import { readFileSync } from 'node:fs';

interface Credentials {
  readonly base_url: string;
  readonly agent: { readonly api_key: string };
}
type Data = Readonly<Record<string, unknown>>;

const { agent, base_url } = JSON.parse(
  readFileSync('.vouch/credentials.json', 'utf8'),
) as Credentials;

/** Refusals carry a stable `code`; `fields` say what to change. */
class VouchError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** Sends one request. After 429 and 503 it waits as told and sends the same again, three times. */
async function send(path: string, body?: Data, key?: string, tries = 3): Promise<Data> {
  const response = await fetch(`${base_url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${agent.api_key}`,
      'content-type': 'application/json',
      // The same key again stores nothing twice, so that a repetition is safe.
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Data;
  if (response.ok) return answer['data'] as Data;
  if ((response.status === 429 || response.status === 503) && tries > 0) {
    await sleep(Number(response.headers.get('retry-after') ?? 1));
    return send(path, body, key, tries - 1);
  }
  throw new VouchError(String(answer['code']), String(answer['error']));
}

const scope_path = '/guides/typescript';
const said = { session_id: 'guide', scope_path, peer_key: 'ada', content: 'I live in Porto.' };
const { message_id: id } = await send('/api/v1/ingest', said, crypto.randomUUID());

// `wait_ms` answers as soon as the extraction has ended, or after that time.
let status = await send(`/api/v1/ingest/${String(id)}?wait_ms=10000`);
while (status['status'] === 'pending') {
  status = await send(`/api/v1/ingest/${String(id)}?wait_ms=10000`);
}
const say = (...words: unknown[]) => process.stdout.write(`${words.map(String).join(' ')}\n`);
say(status['status'], JSON.stringify(status['knowledge']));

const asked = { scope_path, peer_key: 'ada', question: 'Where does Ada live?' };
const { abstained, answer, citations } = await send('/api/v1/ask', asked);
say(abstained === true ? 'not known' : answer, citations);
