import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runRanking } from '../../../../measure/eval/rank/run.ts';

const empty = mkdtempSync(join(tmpdir(), 'vouch-rank-empty-'));
const filled = mkdtempSync(join(tmpdir(), 'vouch-rank-filled-'));
const crowded = mkdtempSync(join(tmpdir(), 'vouch-rank-crowded-'));
afterAll(() => {
  for (const folder of [empty, filled, crowded]) rmSync(folder, { recursive: true });
});

let lines: string[] = [];
beforeEach(() => {
  lines = [];
});

function run(dataFolder: string, ...asked: string[]): number {
  return runRanking({ asked, dataFolder, say: (line) => void lines.push(line) });
}

const said = (dia_id: string, content: string) => ({
  dia_id,
  session_id: 's1',
  speaker: 'Ada',
  occurred_at: '2024-03-01T10:00:00Z',
  content,
});

/** Adds a conversation to the set `locomo` of the folder. */
function add(
  folder: string,
  conversation: Readonly<Record<string, unknown>> & { readonly conversation_id: string },
): void {
  mkdirSync(join(folder, 'locomo'), { recursive: true });
  const file = join(folder, 'locomo', `${conversation.conversation_id}.json`);
  writeFileSync(file, JSON.stringify({ observations: [], ...conversation }));
}

add(filled, {
  conversation_id: 'one',
  messages: [said('m1', 'I sold a marvellous kettle.'), said('m2', 'It rained.')],
  questions: [
    { question: 'Who sold a kettle?', category: 1, category_name: 'who', evidence: ['m1'] },
    { question: 'Who flew?', category: 5, category_name: 'adversarial', evidence: ['m2'] },
    { question: 'Who slept?', category: 1, category_name: 'who', evidence: [] },
  ],
});

describe('scoring variants', () => {
  test('reports missing sets as skipped, which is no failure', () => {
    expect(run(empty)).toBe(0);
    expect(lines).toEqual(
      ['locomo', 'beam', 'xquad'].map((set) => `rank (${set}): skipped, no data`),
    );
  });

  test('counts answerable questions only, compares with the baseline and quotes no data', () => {
    expect(run(filled, 'bm25-words', 'target', '--kinds')).toBe(0);
    const text = lines.join('\n');
    expect(text).toMatch(/bm25-words +locomo +100\.0.* R@10 \+0\.0 \[\+0\.0, \+0\.0\] 0\/1/u);
    expect(text).toMatch(/who \(1\)/u);
    expect(text).not.toMatch(/kettle|marvellous|adversarial/u);
  });

  test('puts conversations into one scope, where a message of another one with the same id is no answer', () => {
    const asked = { category: 1, category_name: 'who', evidence: ['m1'] };
    const question = { question: 'Who sold a kettle?', ...asked };
    const messages = [said('m1', 'I sold a marvellous kettle.')];
    add(crowded, { conversation_id: 'one', messages, questions: [question] });
    const other = [said('m1', 'A kettle, I sold a kettle.')];
    add(crowded, { conversation_id: 'two', messages: other, questions: [] });
    const firstOfAll = (...more: string[]): string | undefined => {
      lines = [];
      run(crowded, 'bm25-stems', ...more);
      return lines.join('\n').match(/bm25-stems +locomo +(?<first>[\d.]+)/u)?.groups?.['first'];
    };
    expect(firstOfAll()).toBe('100.0');
    expect(firstOfAll('--together')).toBe('0.0');
  });

  test('explains itself when a variant is unknown', () => {
    expect(run(empty, 'nonsense')).toBe(2);
    expect(run(empty, '--against=nonsense')).toBe(2);
    expect(lines[0]).toMatch(/^usage: /u);
  });
});
