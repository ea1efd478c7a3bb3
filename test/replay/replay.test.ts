/** Recorded histories must replay on the workflows of this build: a run that began before an upgrade goes on. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import {
  Runtime,
  Worker,
  type ReplayHistoriesIterable,
  type WorkflowBundle,
} from '@temporalio/worker';
import * as workflows from '../../workflows/index.ts';
import { bundleWorkflows } from '../../runtime/temporal/bundle.ts';
import { dataConverter } from '../../runtime/temporal/data-converter.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import { isSearchAttributeValue, refuse } from '../../domain/actors/safe-text.ts';

const FOLDER = new URL('./histories/', import.meta.url);
const silentLog = { info() {}, warn() {}, error() {} };

let bundle: WorkflowBundle;

beforeAll(async () => {
  installRuntime(silentLog);
  bundle = await bundleWorkflows(silentLog);
}, 30_000);

afterAll(() => Runtime.instance().shutdown());

async function recorded(type: string): Promise<Map<string, string>> {
  const folder = new URL(`${type}/`, FOLDER);
  const names = (await readdir(folder)).toSorted();
  const texts = names.map((name) => readFile(new URL(name, folder), 'utf8'));
  const contents = await Promise.all(texts);
  return new Map(names.map((name, index) => [`${type}/${name}`, contents[index] ?? '']));
}

async function* histories(texts: ReadonlyMap<string, string>): ReplayHistoriesIterable {
  for (const [workflowId, text] of texts) {
    yield { workflowId, history: historyFromJSON(JSON.parse(text)) };
  }
}

async function failuresOf(texts: ReadonlyMap<string, string>): Promise<string[]> {
  const failed: string[] = [];
  const results = Worker.runReplayHistories(
    { workflowBundle: bundle, dataConverter },
    histories(texts),
  );
  for await (const { workflowId, error } of results) {
    if (error) failed.push(`${workflowId}: ${error.name}`);
  }
  return failed;
}

test('every workflow type has a recorded history, and each replays', async () => {
  for (const type of Object.keys(workflows)) {
    const texts = await recorded(type);
    expect(texts.size).toBeGreaterThan(0);
    expect(await failuresOf(texts)).toEqual([]);
  }
}, 60_000);

test('a history of another program does not replay', async () => {
  const texts = await recorded('ingestActor');
  const altered = [...texts].map(
    ([name, text]) => [name, text.replaceAll('drainMailbox', 'refreshIndexes')] as const,
  );
  expect(await failuresOf(new Map(altered))).toHaveLength(texts.size);
}, 60_000);

interface Payloaded {
  readonly data?: unknown;
  readonly metadata?: unknown;
}

function payloadsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(payloadsIn);
  if (typeof value !== 'object' || value === null) return [];
  const { data, metadata } = value as Payloaded;
  if (typeof data === 'string' && typeof metadata === 'object') {
    return [Buffer.from(data, 'base64').toString('utf8')];
  }
  return Object.values(value).flatMap(payloadsIn);
}

test('recorded payloads hold ids, counts and words of closed lists only', async () => {
  for (const type of Object.keys(workflows)) {
    for (const text of (await recorded(type)).values()) {
      const values = payloadsIn(JSON.parse(text)).filter((payload) => payload !== '');
      expect(values.length).toBeGreaterThan(2);
      for (const payload of values) {
        const value: unknown = JSON.parse(payload);
        expect(refuse(value) === null || isSearchAttributeValue(value)).toBe(true);
      }
    }
  }
});
