/**
 * Calls a tool a thousand times at once from one account, while another account asks one thing after the other:
 *
 *   npm run bench:tools [-- --calls <number>]
 *   npm run bench:tools -- --proxy <port>
 *
 * The second form measures nothing: it starts a service and a proxy that adds the key, for clients of other people, and
 * waits for Ctrl-C. measure/bench/README.md explains the figures. Takes about a minute.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { vouch } from '../../command-line.ts';
import { stackDirectory, startStack } from '../../stack.ts';
import { collectedHeap } from '../load/heap.ts';
import { sendObservations } from '../load/http-load.ts';
import { residentMemory } from '../load/memory.ts';
import { startLoadedStack, type LoadedStack } from '../load/stack.ts';
import { startKeyProxy } from './proxy.ts';

const PASSWORD = 'correct horse battery staple';
const SCOPE = '/bench/tools';
/** Requests of the other account for one figure. */
const OTHER_REQUESTS = 200;
const SETTLE_MS = 10_000;

const made = z.object({ api_key: z.string() });

async function keyOfOtherAccount({ path }: LoadedStack): Promise<string> {
  const run = async (args: readonly string[]): Promise<unknown> =>
    (await vouch({ path }, args)).value;
  const passwordFile = join(path, 'password');
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  const admin = ['--email', 'other@example.org', '--name', 'Other'];
  const account = ['account', 'create', '--key', 'other', ...admin];
  await run([...account, '--password-file', passwordFile]);
  const key = ['key', 'create', '--account', 'other', '--peer', 'walker'];
  return made.parse(await run([...key, '--scope', '/', '--role', 'member'])).api_key;
}

async function callTool(url: string, key: string): Promise<boolean> {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'query_knowledge', arguments: { scope_path: SCOPE, limit: 12 } },
    }),
  });
  const text = await response.text();
  return response.status === 200 && !text.includes('"isError":true');
}

/** The 95th percentile of as many requests one after the other, in milliseconds; ends early once `stop` says so. */
async function p95(url: string, key: string, stop: () => boolean): Promise<number> {
  const times: number[] = [];
  while (times.length < OTHER_REQUESTS && !stop()) {
    const begun = performance.now();
    const answer = await fetch(`${url}/api/v1/knowledge?scope_path=/other`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`the other account got ${answer.status}`);
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN;
}

const memoryOf = (stack: LoadedStack): number => residentMemory(stack).get('api') ?? 0;

/** MiB that the API holds right after a collection. */
async function heldBy(stack: LoadedStack): Promise<number> {
  const pid = stack.processes().get('api');
  if (pid === undefined) throw new Error('no API runs');
  const { external, heapUsed } = await collectedHeap(pid);
  return external + heapUsed;
}

async function measured(stack: LoadedStack, calls: number): Promise<string> {
  const { apiKey, url } = stack;
  const other = await keyOfOtherAccount(stack);
  const content = 'I keep the lathe in the yard of Ghent.';
  const observation = { scope_path: SCOPE, session_id: 'tools', peer_key: 'ana', content };
  await sendObservations(stack, () => observation, { clients: 1, amount: 20 });
  for (let at = 0; at < 50; at += 1) await callTool(url, apiKey);
  const undisturbed = await p95(url, other, () => false);
  const before = memoryOf(stack);
  const heldBefore = await heldBy(stack);
  const begun = performance.now();
  let isOver = false;
  const all = Promise.all(Array.from({ length: calls }, () => callTool(url, apiKey)));
  void all.finally(() => (isOver = true));
  const beside = await p95(url, other, () => isOver);
  const failed = (await all).filter((isFine) => !isFine).length;
  const seconds = (performance.now() - begun) / 1000;
  const during = memoryOf(stack);
  await sleep(SETTLE_MS);
  return [
    `${calls} calls of query_knowledge at once: ${failed} failed, ${seconds.toFixed(1)} s`,
    `another account, p95: ${undisturbed.toFixed(1)} ms undisturbed, ${beside.toFixed(1)} ms beside them`,
    `resident memory of the API: ${before.toFixed(0)} MiB before, ${during.toFixed(0)} MiB at the end, ${memoryOf(stack).toFixed(0)} MiB ten seconds later`,
    `held after a collection: ${heldBefore.toFixed(0)} MiB before, ${(await heldBy(stack)).toFixed(0)} MiB afterwards`,
    '',
  ].join('\n');
}

async function openToOthers(port: number): Promise<void> {
  const directory = stackDirectory();
  const stack = await startStack(directory, {
    SERVICE_ALLOWED_ORIGINS: `http://localhost:${port},http://127.0.0.1:${port}`,
  });
  const proxy = await startKeyProxy(stack.baseUrl, stack.apiKey, port);
  process.stdout.write(`http://127.0.0.1:${port}/mcp\n`);
  await once(process, 'SIGINT');
  proxy.close();
  await stack.stop();
  directory.remove();
}

const { values } = parseArgs({ options: { calls: { type: 'string' }, proxy: { type: 'string' } } });
if (values.proxy === undefined) {
  const calls = z.coerce.number().int().min(1).max(10_000).default(1_000).parse(values.calls);
  const stack = await startLoadedStack();
  try {
    process.stdout.write(await measured(stack, calls));
  } finally {
    await stack.stop();
  }
} else {
  await openToOthers(z.coerce.number().int().parse(values.proxy));
}
