/** Runs the control on a Temporal server of its own, and scans every place. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { startEmbedded } from '../../../embedded/index.ts';
import { makeCanaries } from '../../support/canaries/canary.ts';
import { createScanner, type Finding } from '../../support/canaries/scanner.ts';
import { exportTemporal } from '../temporal-export.ts';
import type { ControlProcess, Surroundings } from './layers.ts';
import { LEAK_NAMES, leakText, queueOf } from './leaks.ts';
import { playAll } from './scenarios.ts';

export interface ControlReport {
  readonly outcomes: Readonly<Record<string, string>>;
  readonly findings: readonly Finding[];
  readonly scanned: readonly string[];
  /** What a scrape and a collector got. */
  readonly metrics: string;
  readonly traces: string;
}

function leakyHeaders(taskQueue: string): WorkflowClientInterceptor {
  const header = (leak: 'start_header' | 'signal_header') => ({
    note: defaultPayloadConverter.toPayload(leakText(taskQueue, leak)),
  });
  return {
    startWithDetails: (input, next) => next({ ...input, headers: header('start_header') }),
    signal: (input, next) => next({ ...input, headers: header('signal_header') }),
  };
}

/** Plays all scenarios in a process that `start` sets up. Everything started is stopped again. */
export async function runControl(
  start: (around: Surroundings) => Promise<ControlProcess>,
): Promise<ControlReport> {
  const seed = randomBytes(8).toString('hex');
  const taskQueue = queueOf(seed);
  const scanner = createScanner(makeCanaries(seed, LEAK_NAMES));
  const stack = await startEmbedded({
    ephemeral: true,
    env: process.env,
    say: () => undefined,
    external: ['postgres', 'meilisearch', 'qdrant'],
  });
  try {
    const { temporal } = stack;
    if (temporal === undefined) throw new Error('Temporal did not start');
    const { address, namespace, databaseFile, metricsUrl } = temporal;
    const logFile = join(stack.directory, 'logs', 'control.log');
    const around = {
      address,
      namespace,
      taskQueue,
      logFile,
      leakyHeaders: leakyHeaders(taskQueue),
    };
    const control = await start(around);
    let outcomes: ControlReport['outcomes'];
    let measured: Pick<ControlReport, 'metrics' | 'traces'>;
    try {
      outcomes = await playAll({
        control,
        taskQueue,
        keep: (place, value) => scanner.scanValue(place, value),
      });
    } finally {
      await control.close();
      measured = await control.telemetry.close();
    }
    scanner.scan('metrics', measured.metrics);
    scanner.scan('traces', measured.traces);
    // The list is filled a moment after the executions have ended.
    await sleep(1_000);
    const exported = await exportTemporal(address, namespace, []);
    scanner.scanValue('history', exported.histories);
    scanner.scanValue('visibility', exported.visibility);
    scanner.scan('metrics of the server', await (await fetch(metricsUrl)).text());
    scanner.scanFile('log', logFile);
    scanner.scanFile('log of the server', join(stack.directory, 'logs', 'temporal.log'));
    const folder = dirname(databaseFile);
    const files = readdirSync(folder).filter((name) => name.startsWith(basename(databaseFile)));
    for (const name of files) scanner.scanFile('database', join(folder, name));
    return {
      outcomes,
      findings: scanner.findings,
      scanned: [...scanner.scanned.keys()],
      ...measured,
    };
  } finally {
    await stack.stop();
  }
}
