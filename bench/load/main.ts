/**
 * Loads a service of its own and prints one figure a line, with the aim where there is one:
 *
 *   npm run bench:load [-- accept] [searchable] [memory]
 *
 * What each figure means: bench/README.md. Takes about fifteen minutes; the machine should have nothing else to do.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { measureAccept, type AcceptResult } from './accept.ts';
import { collectedHeap } from './heap.ts';
import { residentMemory } from './memory.ts';
import { fill, measureSearchable, type SearchableFigures } from './searchable.ts';
import { startLoadedStack, type LoadedStack } from './stack.ts';

const PARTS = ['accept', 'searchable', 'memory'] as const;

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
  // The actors of the start have gone to sleep by then.
  await sleep(5_000);
  sayMemory('idle', residentMemory(stack));
  const calm = { run: 'calm', amount: 300, sessions: 40, clients: 4, rate: 10 };
  saySearchable('at 10/s', await measureSearchable(stack, calm), { p95: 'p95 500 ms' });
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

/** A leak grows with every round; what has only not been collected yet does not. */
async function memory(stack: LoadedStack): Promise<void> {
  await sleep(5_000);
  await sayWorker(stack, 'idle');
  for (const run of ['first', 'second']) {
    await fill(stack, { run, amount: 10_000, sessions: 40, clients: 32 });
    await sayWorker(stack, `after the ${run} 10,000`);
  }
}

async function withStack(work: (stack: LoadedStack) => Promise<void>): Promise<void> {
  const stack = await startLoadedStack();
  try {
    say('start to ready, empty directory', `${stack.coldSeconds.toFixed(1)} s`);
    say('start to ready, again', `${stack.warmSeconds.toFixed(1)} s`, '15 s');
    await work(stack);
  } finally {
    await stack.stop();
  }
}

const asked = process.argv.slice(2);
if (asked.some((part) => !PARTS.some((known) => known === part))) {
  process.stderr.write(`usage: npm run bench:load [-- ${PARTS.join('] [')}]\n`);
  process.exitCode = 2;
} else {
  const parts = asked.length === 0 ? PARTS : asked;
  if (parts.includes('accept')) {
    await withStack(async (stack) => sayAccept(await measureAccept(stack)));
  }
  if (parts.includes('searchable')) await withStack(searchable);
  if (parts.includes('memory')) await withStack(memory);
}
