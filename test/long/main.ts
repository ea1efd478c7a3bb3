/**
 * The long run: every test file, in full sizes and with a fresh seed. It needs nobody, ends within ninety minutes, and goes
 * on where an earlier run on the same sources stopped:
 *
 *   npm run test:long [-- --fresh | --seed <number> | --only <words>]
 */
import { readOptions, USAGE, type LongOptions } from './options.ts';
import { exitCodeOf, tableOf, type SuiteResult } from './report.ts';
import { runSuite } from './run-suite.ts';
import { beginState, saveState, sourcesNow, type LongState } from './state.ts';
import type { Suite } from './suites.ts';

const MOST_MS = 90 * 60_000;
const endsAt = performance.now() + MOST_MS;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Plays the suite unless it is green already or no time is left. */
async function played(
  suite: Suite,
  state: LongState,
  { isChosen }: LongOptions,
): Promise<SuiteResult> {
  const { name } = suite;
  const before = state.green[name];
  if (before !== undefined && !isChosen) return { name, outcome: 'green before', seconds: before };
  const startedAt = performance.now();
  if (startedAt > endsAt) return { name, outcome: 'not run', seconds: 0 };
  say(`\n== ${name} (seed ${state.seed})`);
  const outcome = await runSuite(suite, state.seed, endsAt - startedAt);
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`== ${name}: ${outcome} after ${seconds.toFixed(0)} s`);
  if (outcome !== 'green') {
    say(`== again: npm run test:long -- --only ${name} --seed ${state.seed}`);
  }
  return { name, outcome, seconds };
}

async function main(options: LongOptions): Promise<number> {
  const { suites } = options;
  const state = beginState({ ...options, sources: sourcesNow() });
  say(`seed ${state.seed}`);
  saveState(state);
  const results: SuiteResult[] = [];
  for (const suite of suites) {
    const result = await played(suite, state, options);
    results.push(result);
    if (result.outcome === 'green') state.green[result.name] = result.seconds;
    else if (result.outcome !== 'green before') delete state.green[result.name];
    saveState(state);
  }
  say(`\n${tableOf(results)}`);
  return exitCodeOf(results);
}

let options: LongOptions | null = null;
try {
  options = readOptions(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
}
process.exitCode = options === null ? 2 : await main(options);
