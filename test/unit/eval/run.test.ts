import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEvaluation } from '../../../measure/eval/run.ts';

const empty = mkdtempSync(join(tmpdir(), 'vouch-eval-empty-'));
afterAll(() => rmSync(empty, { recursive: true }));

async function run(...asked: string[]): Promise<{ exitCode: number; lines: string[] }> {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const exitCode = await runEvaluation({ asked, dataFolder: empty, say });
  return { exitCode, lines: lines.filter((line) => line !== '') };
}

describe('an evaluation without data', () => {
  test('reports each ability as skipped and exits with code 0', async () => {
    const { exitCode, lines } = await run();
    expect(exitCode).toBe(0);
    expect(lines).toHaveLength(9);
    for (const line of lines) expect(line).toMatch(/: skipped, no data$/u);
  });

  test('reports only the abilities that were asked for', async () => {
    expect((await run('dates')).lines).toEqual(['dates (locomo-temporal): skipped, no data']);
    expect((await run('search-beam')).lines).toEqual(['search (beam): skipped, no data']);
    expect((await run('search')).lines).toHaveLength(4);
  });
});

test('an unknown ability is a usage error', async () => {
  const { exitCode, lines } = await run('everything');
  expect(exitCode).toBe(2);
  expect(lines[0]).toMatch(/^usage: /u);
});
