/**
 * Loads a service of its own and prints one figure a line, with the aim where there is one:
 *
 *   npm run bench:load [-- [--only] <part> ... [--amount <number>]]
 *
 * measure/bench/README.md explains the parts and the figures. All parts take about half an hour; no other work should
 * run on the machine.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { measureAccept, type AcceptResult } from './accept.ts';
import {
  measureBackfill,
  measureFilled,
  measureNames,
  measureRepeated,
  measureSubject,
  measureUnique,
  type Rates,
} from './growth.ts';
import { collectedHeap } from './heap.ts';
import { residentMemory } from './memory.ts';
import { fill, measureSearchable, type SearchableFigures } from './searchable.ts';
import { ANSWER_MS, measureProvider, PROVIDER_SETTINGS } from './provider-bound.ts';
import { measureProfile } from './profile/index.ts';
import { sayProfile } from './profile/say.ts';
import { startLoadedStack, type LoadedStack, type LoadedStackOptions } from './stack.ts';

function say(name: string, value: string, aim?: string): void {
  const line = `${name.padEnd(44)}${value}`;
  process.stdout.write(aim === undefined ? `${line}\n` : `${line.padEnd(96)}aim: ${aim}\n`);
}

function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 1 : 0)} ms`;
}

function sayAccept({ rounds, withExtraction, atHalf }: AcceptResult): void {
  for (const { clients, door, sqlFunction, threeRows, ratio, p50, p99 } of rounds) {
    const figures = `${door.toFixed(0)}/s, p50 ${ms(p50)}, p99 ${ms(p99)}`;
    say(`accept, ${clients} clients`, figures);
    say(`  pgbench, the same function`, `${sqlFunction.toFixed(0)}/s`);
    say(`  pgbench, three rows`, `${threeRows.toFixed(0)}/s`);
    say(`  door by function`, ratio.toFixed(2), clients === 8 ? '0.6' : undefined);
  }
  const half = `${atHalf.rate.toFixed(0)}/s, p50 ${ms(atHalf.p50)}, p99 ${ms(atHalf.p99)}`;
  say('accept at half of what 8 clients reach', half, 'p99 10 ms');
  say(
    'accept, 8 clients, extraction under way',
    `${withExtraction.door.toFixed(0)}/s, p99 ${ms(withExtraction.p99)}`,
  );
}

function saySearchable(
  name: string,
  figures: SearchableFigures,
  aims: { readonly rate?: string; readonly p95?: string; readonly transitions?: string },
): void {
  const { messages, p50, p95, perSecond, transitionsPerThousand } = figures;
  say(`${name}: observations`, String(messages));
  say(`${name}: accepted to searchable`, `p50 ${ms(p50)}, p95 ${ms(p95)}`, aims.p95);
  say(`${name}: completed`, `${perSecond.toFixed(0)}/s`, aims.rate);
  say(`${name}: state transitions for 1,000`, transitionsPerThousand.toFixed(0), aims.transitions);
}

function sayMemory(when: string, memory: ReadonlyMap<string, number>): void {
  for (const [name, size] of memory) say(`memory ${when}: ${name}`, `${size.toFixed(0)} MiB`);
}

async function searchable(stack: LoadedStack): Promise<void> {
  // By then the actors that the start woke are asleep.
  await sleep(5_000);
  sayMemory('idle', residentMemory(stack));
  const calm = { run: 'calm', amount: 300, sessions: 40, clients: 4, rate: 10 };
  saySearchable('at 10/s', await measureSearchable(stack, calm), { p95: 'p95 150 ms' });
  const steady = { run: 'steady', amount: 40 * pace, sessions: 40, clients: 8, rate: pace };
  saySearchable(`at ${pace}/s`, await measureSearchable(stack, steady), { p95: 'p95 1 s' });
  const flood = { run: 'flood', amount: 10_000, sessions: 40, clients: 32 };
  saySearchable('at saturation', await measureSearchable(stack, flood), {
    rate: '500/s',
    transitions: '50 or fewer',
  });
  sayMemory('after 10,000', residentMemory(stack));
}

async function sayWorker(stack: LoadedStack, when: string): Promise<void> {
  const pid = stack.processes().get('worker');
  if (pid === undefined) throw new Error('no worker runs');
  const resident = (): string => `${residentMemory(stack).get('worker')?.toFixed(0)} MiB`;
  say(`worker ${when}`, resident());
  const { heapUsed, external } = await collectedHeap(pid);
  const left = `heap ${heapUsed.toFixed(0)} MiB, outside it ${external.toFixed(0)} MiB`;
  say('  after a collection', `${resident()}, ${left}`);
}

/** Two rounds tell a leak from garbage: a leak grows with every round. */
async function memory(stack: LoadedStack): Promise<void> {
  await sleep(5_000);
  await sayWorker(stack, 'idle');
  for (const run of ['first', 'second']) {
    await fill(stack, { run, amount: 10_000, sessions: 40, clients: 32 });
    await sayWorker(stack, `after the ${run} 10,000`);
  }
}

function sayRates(name: string, { rates, ratio }: Rates, what: string, aim: string): void {
  say(`${name}: completed`, rates.map((rate) => rate.toFixed(0)).join(', ') + ' /s');
  say(`${name}: ${what}`, ratio.toFixed(2), aim);
}

const LAST_BY_FIRST = 'the last tenth by the first';

async function backfill(stack: LoadedStack): Promise<void> {
  const { undisturbed, beside, ratio } = await measureBackfill(stack);
  say('backfill: live sessions alone', `p95 ${ms(undisturbed)}`);
  say('backfill: live sessions beside it', `p95 ${ms(beside)}`);
  say('backfill: beside by alone', ratio.toFixed(1), '3 or less');
}

async function provider(stack: LoadedStack): Promise<void> {
  const figures = await measureProvider(stack);
  say('slow provider: calls', String(figures.calls));
  say('slow provider: completed', `${figures.observationsPerSecond.toFixed(0)}/s`);
  const rate = `${figures.callsPerSecond.toFixed(1)} calls/s, ${figures.ratio.toFixed(3)} of the slots`;
  say('slow provider: its concurrency is used', rate, '0.95 or more');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true },
    amount: { type: 'string' },
    pace: { type: 'string', default: '100' },
    data: { type: 'string', default: '../shared/data' },
    held: { type: 'string', default: '0' },
    copied: { type: 'string', default: '0' },
  },
});
/** Observations a second that are sent beside the work that they cause. */
const pace = z.coerce.number().int().min(1).parse(values.pace);
/** Scopes and people, or statements, that are added before the measurement. */
const amount = z.coerce.number().int().min(1).default(100_000).parse(values.amount);

function processorTimes(times: ReadonlyMap<string, number>): string {
  return Array.from(times, ([name, spent]) => `${name} ${ms(spent)}`).join(', ');
}

async function profile(stack: LoadedStack): Promise<void> {
  const held = z.coerce.number().int().min(0).parse(values.held);
  const copied = z.coerce.number().int().min(0).parse(values.copied);
  const measured = values.amount === undefined ? 400 : amount;
  const options = { amount: measured, copied, data: values.data, held };
  const { searches, threeRows, watched } = await measureProfile(stack, options);
  for (const one of watched) sayProfile((line) => process.stdout.write(`${line}\n`), one);
  const { alone, processorAlone, processorTogether, together } = searches;
  say('searches, one client', `p50 ${ms(alone.p50)}, p95 ${ms(alone.p95)}`, 'p95 15 ms');
  say('  processor time of one', processorTimes(processorAlone));
  say('searches, 8 clients', `${together.toFixed(0)}/s`, '120/s');
  say('  processor time of one', processorTimes(processorTogether));
  say('pgbench, three rows, 8 clients', `${threeRows.toFixed(0)}/s`);
}

const PARTS = {
  accept: async (stack) => sayAccept(await measureAccept(stack)),
  searchable,
  memory,
  repeated: async (stack) =>
    sayRates('repeated', await measureRepeated(stack), LAST_BY_FIRST, '0.8'),
  subject: async (stack) => sayRates('subject', await measureSubject(stack), LAST_BY_FIRST, '0.8'),
  unique: async (stack) =>
    sayRates('unique', await measureUnique(stack), 'repeated by unique', '0.9'),
  backfill,
  names: async (stack) =>
    sayRates('names', await measureNames(stack, amount), `with ${amount} of each by none`, '0.8'),
  filled: async (stack) =>
    sayRates('filled', await measureFilled(stack, amount), `with ${amount} by empty`, '0.8'),
  profile,
  provider,
} satisfies Readonly<Record<string, (stack: LoadedStack) => Promise<void>>>;

type Part = keyof typeof PARTS;

/** The parts whose service is started in another way. */
const STACKS: Partial<Record<Part, LoadedStackOptions>> = {
  provider: { delayMs: ANSWER_MS, settings: PROVIDER_SETTINGS },
  // From the sources, so that functions are named with their files.
  profile: {
    countsSql: true,
    settings: { SERVICE_MODEL_INGEST_EXTRACTOR: 'deterministic', VOUCH_FROM_SOURCES: '1' },
  },
};

function isPart(name: string): name is Part {
  return Object.hasOwn(PARTS, name);
}

/** The longest time for one part. */
const PART_WITHIN_MS = 15 * 60_000;

/** Rejects when the time is over, or when a signal ends the run. */
function cut(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  const end = (): void => reject(new Error('the run was ended'));
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, end);
    signal.addEventListener('abort', () => process.off(name, end));
  }
  const minutes = PART_WITHIN_MS / 60_000;
  const late = setTimeout(
    () => reject(new Error(`a part took longer than ${minutes} minutes`)),
    PART_WITHIN_MS,
  );
  signal.addEventListener('abort', () => clearTimeout(late));
  return promise;
}

async function withStack(
  work: (stack: LoadedStack) => Promise<void>,
  options: LoadedStackOptions | undefined,
): Promise<void> {
  const stack = await startLoadedStack(options);
  const over = new AbortController();
  try {
    say('start to ready, empty directory', `${stack.coldSeconds.toFixed(1)} s`);
    say('start to ready, again', `${stack.warmSeconds.toFixed(1)} s`, '15 s');
    await Promise.race([work(stack), cut(over.signal)]);
  } finally {
    over.abort();
    await stack.stop();
  }
}

const asked = [...(values.only ?? []), ...positionals];
const parts = asked.length === 0 ? Object.keys(PARTS).filter(isPart) : asked.filter(isPart);
if (parts.length < asked.length) {
  process.stderr.write(
    `usage: npm run bench:load [-- [--only] ${Object.keys(PARTS).join('|')} ...]\n`,
  );
  process.exitCode = 2;
} else {
  for (const part of parts) await withStack(PARTS[part], STACKS[part]);
}
