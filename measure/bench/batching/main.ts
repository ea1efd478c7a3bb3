/**
 * Measures what shared calls save: a thousand messages through a stub that takes 200 ms, with and without batching,
 * undisturbed and with an outage of 500 ms after every hundred answers.
 *
 *   npm run bench:batching [-- <messages>]
 *
 * measure/bench/README.md explains the figures. Takes about three minutes.
 */
import { z } from 'zod';
import { startLoadedStack } from '../load/stack.ts';
import { measureBatching, type BatchingFigures } from './measure.ts';

const DELAY_MS = 200;
const OUTAGE = { every: 100, ms: 500 } as const;
const LOAD = { sessions: 40, clients: 8 } as const;
const KINDS = [
  { name: 'each alone', settings: { SERVICE_EXTRACTION_BATCH_ANCHORS: '1' } },
  { name: 'batched', settings: {} },
] as const;

function say(name: string, figures: BatchingFigures): void {
  const { messages, perSecond, calls, failedCalls, tokensPerMessage } = figures;
  const failed = failedCalls === 0 ? '' : ` and ${failedCalls} that failed`;
  process.stdout.write(
    `${name.padEnd(28)}${messages} messages, ${perSecond.toFixed(0)}/s, ${calls} calls${failed}, ` +
      `${tokensPerMessage.toFixed(0)} tokens a message\n`,
  );
}

async function measureKind({ name, settings }: (typeof KINDS)[number], amount: number) {
  const stack = await startLoadedStack({
    delayMs: DELAY_MS,
    // By default an open circuit keeps calls back for thirty seconds, which would dominate the figures.
    settings: { ...settings, SERVICE_CIRCUIT_OPEN_SECONDS: '1' },
  });
  try {
    say(name, await measureBatching(stack, { run: 'calm', amount, ...LOAD }));
    stack.outages(OUTAGE.every, OUTAGE.ms);
    say(`${name}, with outages`, await measureBatching(stack, { run: 'outages', amount, ...LOAD }));
  } finally {
    await stack.stop();
  }
}

const asked = z.coerce
  .number()
  .int()
  .min(1)
  .max(100_000)
  .safeParse(process.argv[2] ?? '1000');
if (!asked.success || process.argv.length > 3) {
  process.stderr.write('usage: npm run bench:batching [-- <messages>]\n');
  process.exitCode = 2;
} else {
  for (const kind of KINDS) await measureKind(kind, asked.data);
}
