/**
 * The other account, as a process of its own: whatever the attacker's process is busy with delays none of its
 * measurements. From `begin` until `finish` it says an observation and waits for it, polls, searches and asks for health,
 * each at once and then at a steady pace, as long as not too many before it are unanswered, and tells its parent every
 * time.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Agent, request } from 'node:http';
import { z } from 'zod';
import { pause } from '../../../engine/async.ts';
import { HANGS_MS } from '../../support/patience.ts';
import type { Sample } from './judge.ts';

const EVERY_MS = {
  observation: 200,
  accept: 200,
  poll: 100,
  search: 200,
  health: 100,
  own_clock: 250,
} as const;
/** What takes longer hangs. */
const ANSWER_WITHIN_MS = 60_000;
const SETTLED_WITHIN_MS = HANGS_MS;
const SESSIONS = 5;
const SCOPE = '/bystander';
const NANOSECONDS_PER_MS = 1e6;
/** What every search must find. */
const KNOWN = 'I planted a quince tree beside the harbour wall.';
const QUERY = 'quince tree harbour';

const told = z.discriminatedUnion('say', [
  z.object({
    say: z.literal('start'),
    baseUrl: z.string(),
    apiKey: z.string(),
    mostOpen: z.int().positive(),
    paceTimes: z.number().positive(),
  }),
  z.object({ say: z.literal('begin') }),
  z.object({ say: z.literal('finish'), number: z.int() }),
]);

const accepted = z.object({ data: z.object({ message_id: z.string() }) });
const settled = z.object({ data: z.object({ status: z.string() }) });
const found = z.object({
  data: z.object({
    candidates: z.array(z.object({ statement: z.string() })),
    degraded: z.boolean(),
  }),
});

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const agent = new Agent({ keepAlive: true });
const open = new Set<Promise<void>>();
let service = { baseUrl: '', apiKey: '', mostOpen: 1, paceTimes: 1 };
let said = 0;
let known = '';
const clock = monitorEventLoopDelay({ resolution: 10 });

function ask(path: string, json?: unknown): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const body = json === undefined ? null : Buffer.from(JSON.stringify(json));
  const headers = {
    authorization: `Bearer ${service.apiKey}`,
    ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
  };
  const asked = request(
    `${service.baseUrl}${path}`,
    { agent, headers, method: body === null ? 'GET' : 'POST', timeout: ANSWER_WITHIN_MS },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
      });
    },
  );
  asked.once('timeout', () => asked.destroy(new Error('no answer')));
  asked.once('error', reject);
  asked.end(body ?? undefined);
  return promise;
}

function expectStatus({ status, body }: Answer, wanted: number): unknown {
  if (status !== wanted) throw new Error(`answered ${status}`);
  return body;
}

function tell(sample: Sample): void {
  process.send?.({ sample });
}

async function measured(kind: Sample['kind'], work: () => Promise<unknown>): Promise<void> {
  const startedAt = Date.now();
  const start = performance.now();
  let fault: string | null = null;
  try {
    await work();
  } catch (error) {
    fault = error instanceof Error ? error.message : 'failed';
  }
  tell({ kind, startedAt, ms: performance.now() - start, fault });
}

async function say(content: string): Promise<string> {
  const body = {
    session_id: `walk-${said++ % SESSIONS}`,
    scope_path: SCOPE,
    peer_key: 'ines',
    content,
  };
  const answer = await ask('/api/v1/ingest', body);
  return accepted.parse(expectStatus(answer, 202)).data.message_id;
}

async function untilSettled(messageId: string): Promise<void> {
  const giveUpAt = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const answer = await ask(`/api/v1/ingest/${messageId}?wait_ms=10000`);
    const { status } = settled.parse(expectStatus(answer, 200)).data;
    if (status === 'completed') return;
    if (status !== 'pending') throw new Error(`became ${status}`);
    if (performance.now() > giveUpAt) throw new Error('stayed pending');
  }
}

async function observe(): Promise<void> {
  await measured('observation', async () => {
    let messageId = '';
    const content = `I walked ${said} steps along the canal in Bergen.`;
    await measured('accept', async () => void (messageId = await say(content)));
    // A refused one is told by the sample of its acceptance.
    if (messageId !== '') await untilSettled(messageId);
  });
}

async function search(): Promise<void> {
  const answer = await ask('/api/v1/search', { scope_path: SCOPE, query: QUERY });
  const { candidates, degraded } = found.parse(expectStatus(answer, 200)).data;
  // What ran out of its time is left out, and said to be.
  if (!degraded && !candidates.some(({ statement }) => statement.includes('quince'))) {
    throw new Error('does not find what is known, and does not say so');
  }
}

/** Starts `work` now and at each of its moments at which fewer than `mostOpen` of it are unanswered, until the end. */
async function atPace(
  kind: Sample['kind'],
  work: () => Promise<void>,
  ended: AbortSignal,
): Promise<void> {
  const everyMs = EVERY_MS[kind] * service.paceTimes;
  const startedAt = performance.now();
  let unanswered = 0;
  for (let number = 0; !ended.aborted; number += 1) {
    if (unanswered < service.mostOpen) {
      unanswered += 1;
      const running = work();
      open.add(running);
      void running.finally(() => {
        unanswered -= 1;
        open.delete(running);
      });
    }
    const next = startedAt + (number + 1) * everyMs;
    await pause(Math.max(0, next - performance.now()), ended);
  }
}

/** Says what every search must find, and what every poll asks about. */
async function start(): Promise<void> {
  known = await say(KNOWN);
  await untilSettled(known);
  clock.enable();
  process.send?.({ started: true });
}

function begin(ended: AbortSignal): void {
  const poll = (): Promise<void> =>
    measured('poll', async () => expectStatus(await ask(`/api/v1/ingest/${known}`), 200));
  const health = (): Promise<void> =>
    measured('health', async () => expectStatus(await ask('/api/health'), 200));
  const lookAtClock = async (): Promise<void> => {
    const ms = clock.max / NANOSECONDS_PER_MS;
    tell({ kind: 'own_clock', startedAt: Date.now(), ms, fault: null });
    clock.reset();
  };
  clock.reset();
  void atPace('observation', observe, ended);
  void atPace('search', () => measured('search', search), ended);
  void atPace('poll', poll, ended);
  void atPace('health', health, ended);
  void atPace('own_clock', lookAtClock, ended);
}

let measuring = new AbortController();

process.on('message', (message) => {
  const heard = told.parse(message);
  if (heard.say === 'start') {
    service = heard;
    start().catch((error: unknown) => process.send?.({ failed: String(error) }));
    return;
  }
  if (heard.say === 'begin') {
    measuring = new AbortController();
    begin(measuring.signal);
    return;
  }
  measuring.abort();
  void Promise.all(open).then(() => process.send?.({ finished: heard.number }));
});
process.on('disconnect', () => process.exit(0));
