/** Recorded histories must replay on the workflows of this build: a run that began before an upgrade goes on. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { Runtime, Worker, type ReplayHistoriesIterable } from '@temporalio/worker';
import * as workflows from '../../workflows/index.ts';
import { dataConverter } from '../../runtime/temporal/data-converter.ts';
import { loadWorkflowBundle } from '../../runtime/temporal/prebuilt-bundle.ts';
import { installRuntime } from '../../runtime/temporal/runtime.ts';
import {
  proseIn,
  recordedHistories,
  workflowTypeOf,
  type RecordedHistory,
} from './history-file.ts';
import { DAY_MS, withAnswers, withDaysOf24Hours } from './contest-days.ts';

const silentLog = { info() {}, warn() {}, error() {} };
const all = recordedHistories();

beforeAll(() => installRuntime(silentLog));

afterAll(() => Runtime.instance().shutdown());

async function* replayed(recorded: readonly RecordedHistory[]): ReplayHistoriesIterable {
  for (const { name, text } of recorded) {
    yield { workflowId: name, history: historyFromJSON(JSON.parse(text)) };
  }
}

async function failuresOf(recorded: readonly RecordedHistory[]): Promise<string[]> {
  const failed: string[] = [];
  const results = Worker.runReplayHistories(
    { workflowBundle: loadWorkflowBundle(), dataConverter },
    replayed(recorded),
  );
  for await (const { workflowId, error } of results) {
    if (error) failed.push(`${workflowId}: ${error.name}`);
  }
  return failed;
}

/** Types without a history, and histories without their type. */
function unmatched(exported: readonly string[], recorded: readonly string[]): string[] {
  const types = new Set(recorded);
  return [
    ...exported.filter((type) => !types.has(type)).map((type) => `${type} has no history`),
    ...[...types].filter((type) => !exported.includes(type)).map((type) => `${type} is gone`),
  ];
}

describe('the recorded histories', () => {
  const exported = Object.keys(workflows);

  test('exist for every workflow type, and for no other', () => {
    const types = all.map(({ type }) => type);
    expect(unmatched(exported, types)).toEqual([]);
    expect(unmatched([...exported, 'newcomer'], types)).toEqual(['newcomer has no history']);
    expect(unmatched(exported.slice(1), types)).toEqual([`${exported[0]} is gone`]);
  });

  test('lie in the folder of their own type', () => {
    expect(all.map(({ text }) => workflowTypeOf(text))).toEqual(all.map(({ type }) => type));
  });

  test('replay without an error', async () => {
    expect(await failuresOf(all)).toEqual([]);
  });

  test('of another program do not replay', async () => {
    const altered = all
      .filter(({ type }) => type === 'ingestActor')
      .map((one) => ({ ...one, text: one.text.replaceAll('drainMailbox', 'refreshIndexes') }));
    expect(altered.length).toBeGreaterThan(0);
    expect(await failuresOf(altered)).toHaveLength(altered.length);
  });
});

describe('the recorded history of a contest that nobody decided', () => {
  const recorded = all.filter(({ name }) => name === 'contest/two-days.json');

  test('replays with days of 24 hours as it did with days of five seconds', async () => {
    const long = recorded.map((one) => ({ ...one, text: withDaysOf24Hours(one.text) }));
    const waits = long.flatMap(({ text }) => text.match(/"startToFireTimeout": *"[^"]+"/g) ?? []);
    expect(waits).toEqual(Array.from({ length: 2 }, () => '"startToFireTimeout":"86400s"'));
    expect(await failuresOf([...recorded, ...long])).toEqual([]);
  });

  test.each([
    [
      'looks at the rows in another way',
      (text: string) => text.replaceAll('judgeContest', 'judgeRun'),
    ],
    [
      'would not wait for the second day',
      (text: string) => withAnswers(text, [DAY_MS, null, null]),
    ],
    ['would wait for a third day', (text: string) => withAnswers(text, [DAY_MS, DAY_MS, DAY_MS])],
  ])('does not replay on a workflow that %s', async (_how, altered) => {
    const changed = recorded.map((one) => ({ ...one, text: altered(one.text) }));
    expect(await failuresOf(changed)).toEqual(['contest/two-days.json: DeterminismViolationError']);
  });
});

describe('the content of the recorded histories', () => {
  test('is ids, counts and words of closed lists, in payloads and outside', () => {
    for (const { name, text } of all) {
      expect(text).toContain('"data"');
      expect({ name, prose: proseIn(JSON.parse(text)) }).toEqual({ name, prose: [] });
    }
  });

  const payload = (value: unknown) => ({
    metadata: { encoding: 'anNvbi9wbGFpbg==' },
    data: Buffer.from(JSON.stringify(value)).toString('base64'),
  });

  test.each([
    ['a payload', { input: { payloads: [payload({ rows: 'Ada likes tea' })] } }],
    ['a field of a payload', { input: { payloads: [payload({ ada: 1 })] } }],
    ['a label', { indexedFields: { RunKind: payload('Ada') } }],
    ['the name of a label', { indexedFields: { Person: payload('ingest') } }],
    ['a failure', { failure: { message: 'Ada likes tea', source: 'TypeScriptSDK' } }],
    ['a stack trace', { failure: { message: 'INTERNAL', stackTrace: 'at ada.ts' } }],
    ['a workflow id', { workflowId: 'ingest/ada@example.org/0' }],
    ['an identity', { identity: '4711@adas-laptop' }],
    ['an unknown field', { remark: 'Ada' }],
  ])('a text would be found in %s', (_where, event) => {
    expect(proseIn({ events: [event] })).toHaveLength(1);
  });
});
