import { afterAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { isErrorCode, safeEvent, safeFields } from '../../../engine/logging/log-fields.ts';
import { createLog, errorFields } from '../../../engine/logging/logger.ts';
import { eventually } from '../../support/patience.ts';
import { ROOT } from '../../architecture/source-tree.ts';

const CANARY = 'qhvmzkwuerytbplaxncgjdofsiqw';
const directory = mkdtempSync(join(tmpdir(), 'vouch-log-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('ids, counts, codes and known names are written unchanged', () => {
  const fields = {
    failed: 3,
    class: 'provider_upstream_error',
    lane: 'ingest',
    failure: 'DB_CONFLICT',
    error: 'ConnectionError',
    code: '23505',
    build: '0123abc',
    trace_id: 'a'.repeat(32),
    runId: '0199b2f0-7a10-4cc2-a5d6-0123456789ab',
    workflowId: 'ingest/0199b2f0-7a10-7cc2-a5d6-0123456789ab/3',
    activityType: 'drainMailbox',
    engine: 'qdrant',
    reason: 'away',
  };
  expect(safeFields(fields)).toEqual(fields);
  expect(safeEvent('projection.engine_failed')).toBe('projection.engine_failed');
  const circuit = {
    account_id: '0199b2f0-7a10-7cc2-a5d6-0123456789ab',
    role: 'ingest_extractor',
    provider: 'openai-compatible',
    model: 'example/model-4.1:latest',
    model_version: '2026-01-31',
    transition: 'opened',
    consecutive_failures: 5,
  };
  expect(safeFields(circuit)).toEqual(circuit);
  expect(safeEvent('service.model.provider_circuit')).toBe('service.model.provider_circuit');
});

test('any other text is withheld, and so are names of fields and events', () => {
  for (const field of ['class', 'code', 'lane', 'reason', 'trace_id', 'build', 'workflowId']) {
    expect(safeFields({ [field]: CANARY })).toEqual({ [field]: 'withheld' });
  }
  expect(safeFields({ [CANARY]: 1, runs: 2 })).toEqual({ withheld: 1, runs: 2 });
  expect(safeFields(JSON.parse(`{"runs": {"${CANARY}": 1}}`))).toEqual({ runs: 'withheld' });
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (text) => {
      expect(safeEvent(`${text} said so`)).toBe('log.withheld');
      expect(safeFields({ reason: `${text} said so` })).toEqual({ reason: 'withheld' });
    }),
  );
});

test.each(['alice', 'general', 'U024BE7LH', 'E024BE7LH', '123456789', 'user-42', CANARY])(
  'a key such as %s is no code',
  (key) => {
    expect(isErrorCode(key)).toBe(false);
    expect(errorFields(Object.assign(new Error(CANARY), { code: key, name: key }))).toEqual({
      error: 'Error',
    });
  },
);

test.each([
  'ECONNREFUSED',
  'ENOTFOUND',
  'ERR_INVALID_URL',
  'UND_ERR_SOCKET',
  '40001',
  'XX000',
  '503',
])('%s is a code', (code) => {
  expect(isErrorCode(code)).toBe(true);
  expect(errorFields(Object.assign(new TypeError(CANARY), { code }))).toEqual({
    error: 'TypeError',
    code,
  });
});

test('the members of a thrown object are not logged', () => {
  for (const thrown of [
    { constructor: { name: CANARY }, message: CANARY, code: CANARY },
    Object.assign(Object.create(null), { name: CANARY }),
    CANARY,
    [CANARY],
  ]) {
    expect(JSON.stringify(errorFields(thrown))).not.toContain(CANARY);
  }
});

/** The file is opened and written a moment later. */
function linesOf(path: string, count: number): Promise<string[]> {
  return eventually(() => {
    // What has no line end yet is still being written.
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
    return lines.length >= count && lines;
  });
}

test('the log file holds no withheld text', async () => {
  const destination = join(directory, 'x.log');
  const log = createLog({ level: 'info', process: 'test', destination });
  log.warn(CANARY, { [CANARY]: CANARY, reason: CANARY });
  log.info('worker.started', { lanes: 3 });
  const lines = await linesOf(destination, 2);
  expect(lines.join('\n')).not.toContain(CANARY);
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { msg: 'log.withheld', reason: 'withheld' },
    { msg: 'worker.started', lanes: 3 },
  ]);
});

async function lastWordsOf(code: string): Promise<{ exit: unknown; output: string }> {
  const script = join(directory, 'last-words.ts');
  const at = (path: string): string => JSON.stringify(join(ROOT, path));
  writeFileSync(
    script,
    `import { createLog } from ${at('engine/logging/logger.ts')};
     import { keepLastWordsSafe } from ${at('runtime/processes/last-words.ts')};
     keepLastWordsSafe(createLog({ level: 'info', process: 'test' }));
     ${code}`,
  );
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script]);
    return { exit: 0, output: stdout + stderr };
  } catch (error) {
    const { code: exit, stdout, stderr } = Object(error);
    return { exit, output: `${stdout}${stderr}` };
  }
}

test.each([
  ['an error that nothing caught', `setTimeout(() => { throw new RangeError('${CANARY}'); }, 1);`],
  ['a rejection that nothing caught', `void Promise.reject(new RangeError('${CANARY}'));`],
])('%s ends the process with its name only', async (_, code) => {
  const { exit, output } = await lastWordsOf(`${code} setInterval(() => {}, 1_000);`);
  expect(exit).toBe(1);
  expect(output).toContain('"error":"RangeError","msg":"process.crashed"');
  expect(output).not.toContain(CANARY);
});

test("Node's own warnings are lines of the log", async () => {
  const { exit, output } = await lastWordsOf(`process.emitWarning('${CANARY}');`);
  expect(exit).toBe(0);
  expect(output).toContain('"msg":"process.warning"');
  expect(output).not.toContain(CANARY);
});
