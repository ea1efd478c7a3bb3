/**
 * Measures a running service with a conversation, over HTTP:
 *
 *   node measure/bench/conversation.ts <credentials.json> <conversation.json> [--fresh 200] [--concurrency 8]
 *
 * Prints one figure a line and nothing of the conversation. measure/bench/README.md explains the figures. The exit code
 * is 1 when a figure breaks a promise of the service, not when one is merely low.
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { createClient, readAccess } from './client.ts';
import { readConversation } from '../data/conversation-file.ts';
import { measureConversation, promisesKept, type Measurement } from './measure.ts';
import type { Durations } from './timing.ts';

const USAGE =
  'usage: node measure/bench/conversation.ts <credentials.json> <conversation.json> [--fresh 200] [--concurrency 8]\n';
const PATIENCE_MS = 600_000;

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / whole).toFixed(1)} %)`;
}

function milliseconds({ p50, p95 }: Durations): string {
  return `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`;
}

function figures(measured: Measurement): readonly (readonly [string, string | number])[] {
  const { messages, first, resent, repeated, fresh, found } = measured;
  return [
    ['messages', messages],
    ['completed', first.completed],
    ['statements', first.statements],
    ['of them superseded', first.superseded],
    ['messages cited', share(first.cited, messages)],
    ['seconds', first.seconds.toFixed(1)],
    ['observations/s', (messages / first.seconds).toFixed(1)],
    ['accept, all at once', milliseconds(first.accept)],
    ['sent again: completed', resent.completed],
    ['sent again: statements added', resent.added],
    ['sent again: corroboration changed', resent.corroborationChanged],
    ['sent again: seconds', resent.seconds.toFixed(1)],
    ['same keys: messages added', repeated.messagesAdded],
    ['fresh: found', `${fresh.found}/${fresh.tried}`],
    ['fresh: found by other words', `${fresh.foundByOthers}/${fresh.tried}`],
    ['fresh: leaked', `${fresh.leaked}/${fresh.tried}`],
    ['fresh: without a statement', fresh.passedOver],
    ['fresh: accept', milliseconds(fresh.accept)],
    ['fresh: accepted to completed', milliseconds(fresh.completed)],
    ['fresh: search', milliseconds(fresh.search)],
    ['idle: accepted to message found', `${milliseconds(found.message)} (${found.tried})`],
    ['idle: accepted to statement found', `${milliseconds(found.statement)} (${found.tried})`],
  ];
}

async function run(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      fresh: { type: 'string', default: '200' },
      concurrency: { type: 'string', default: '8' },
    },
  });
  const [credentialsFile, conversationFile] = positionals;
  if (credentialsFile === undefined || conversationFile === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
  const measured = await measureConversation(
    createClient(readAccess(credentialsFile)),
    readConversation(conversationFile),
    {
      run: randomBytes(4).toString('hex'),
      freshCount: Number(values.fresh),
      foundCount: Number(values.fresh),
      concurrency: Number(values.concurrency),
      patienceMs: PATIENCE_MS,
    },
  );
  for (const [name, value] of figures(measured)) {
    process.stdout.write(`${name.padEnd(36)}${value}\n`);
  }
  return promisesKept(measured) ? 0 : 1;
}

process.exitCode = await run();
