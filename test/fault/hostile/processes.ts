/** The processes of a start as an operator sees them: which they are, how their event loops fare, what they log. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parsePrometheus, type Scrape } from '../../support/prometheus.ts';
import type { StackDirectory } from '../../../measure/stack.ts';
import { pidOf } from '../harness/children.ts';
import type { Ticks } from './judge.ts';

export const PROCESSES = ['api', 'worker'] as const;
export type ProcessName = (typeof PROCESSES)[number];

const state = z.object({ ports: z.object({ metrics: z.int(), workerMetrics: z.int() }) });
const logLine = z.object({ level: z.int(), msg: z.string() });
/** Of pino: error and fatal. */
const ERROR_LEVEL = 50;

export interface ProcessState {
  /** What changes when it is started again. */
  readonly identity: { readonly pid: number | null; readonly startedAtSeconds: number | null };
  /** The longest that its event loop was held since this was read the last time, in milliseconds. */
  readonly heldMs: number;
  readonly ticks: Ticks;
}

const LOOP = 'vouch_event_loop_lag_seconds';

function ticksOf(metrics: Scrape): Ticks {
  const within = (seconds: string): number => {
    const ticks = metrics.sum(`${LOOP}_bucket`, { le: seconds });
    if (ticks === null) throw new Error(`the event loop is not measured at ${seconds} s`);
    return ticks;
  };
  const all = within('+Inf');
  return { all, over50Ms: all - within('0.05'), over250Ms: all - within('0.25') };
}

/** Reads both from their metrics. */
export async function readProcesses(
  directory: StackDirectory,
): Promise<Record<ProcessName, ProcessState>> {
  const file = join(directory.path, '.vouch', 'state.json');
  const { ports } = state.parse(JSON.parse(readFileSync(file, 'utf8')));
  const read = async (name: ProcessName, port: number): Promise<ProcessState> => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`);
    const metrics = parsePrometheus(await response.text());
    return {
      identity: {
        pid: pidOf(directory, name),
        startedAtSeconds: metrics.sum('process_start_time_seconds'),
      },
      ticks: ticksOf(metrics),
      heldMs: 1_000 * (metrics.sum('nodejs_eventloop_lag_max_seconds') ?? NaN),
    };
  };
  const [api, worker] = await Promise.all([
    read('api', ports.metrics),
    read('worker', ports.workerMetrics),
  ]);
  return { api, worker };
}

/** Events of level error in what the start has written since it had written `from` characters. */
export function errorsSince(output: string, from: number): string[] {
  return output
    .slice(from)
    .split('\n')
    .flatMap((line) => {
      if (/uncaught|unhandled|FATAL ERROR/i.test(line)) return [line];
      if (!line.startsWith('{')) return [];
      const parsed = logLine.safeParse(JSON.parse(line));
      return parsed.success && parsed.data.level >= ERROR_LEVEL ? [parsed.data.msg] : [];
    });
}
