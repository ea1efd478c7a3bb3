import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { questionsFor, renamed } from '../../../../measure/eval/answers/questions.ts';
import { runAnswers } from '../../../../measure/eval/answers/run.ts';
import { readCorpora } from '../../../../measure/eval/rank/corpus.ts';

const empty = mkdtempSync(join(tmpdir(), 'vouch-answers-empty-'));
const filled = mkdtempSync(join(tmpdir(), 'vouch-answers-filled-'));
afterAll(() => {
  rmSync(empty, { recursive: true });
  rmSync(filled, { recursive: true });
});

let lines: string[] = [];
beforeEach(() => {
  lines = [];
});

function run(dataFolder: string, ...asked: string[]): number {
  return runAnswers({ asked, dataFolder, say: (line) => void lines.push(line) });
}

function chat(name: string, [one, other]: readonly [string, string], thing: string): void {
  const said = (dia_id: string, speaker: string, content: string) => ({
    dia_id,
    session_id: 's1',
    speaker,
    occurred_at: '2024-03-01T10:00:00Z',
    content,
  });
  writeFileSync(
    join(filled, 'locomo', `${name}.json`),
    JSON.stringify({
      conversation_id: name,
      messages: [
        said('m1', one, `I sold a marvellous ${thing} to my neighbour.`),
        said('m2', other, 'I climbed a steep mountain in the rain.'),
      ],
      observations: [],
      questions: [
        {
          question: `Which ${thing} did ${one} sell?`,
          category: 4,
          category_name: 'single',
          evidence: ['m1'],
          answer: `a marvellous ${thing}`,
        },
        {
          question: `Which ${thing} did ${other} sell?`,
          category: 5,
          category_name: 'adversarial',
          evidence: ['m1'],
          answer: null,
        },
      ],
    }),
  );
}

mkdirSync(join(filled, 'locomo'));
chat('one', ['Ada', 'Ben'], 'kettle');
chat('two', ['Cleo', 'Dan'], 'violin');
chat('three', ['Eve', 'Finn'], 'bicycle');

/** The figure of the first line that begins so. */
function figure(metric: string): number {
  const line = lines.find((text) => text.startsWith(metric));
  return Number(line?.slice(metric.length).trim().split(/\s+/u)[0]);
}

describe('the questions for a conversation', () => {
  test('are its own, those of others, and those of others with the names of its people', () => {
    const conversations = readCorpora(filled).locomo?.conversations ?? [];
    const [first] = conversations;
    if (first === undefined) throw new Error('no conversation');
    const questions = questionsFor(first, conversations);
    const texts = (kind: string): string[] =>
      questions.filter((one) => one.kind === kind).map(({ text }) => text);
    expect(texts('answerable')).toEqual(['Which kettle did Ada sell?']);
    expect(texts('adversarial')).toEqual(['Which kettle did Ben sell?']);
    expect(questions.filter(({ without }) => without.length > 0)).toEqual([
      {
        kind: 'bereft',
        text: 'Which kettle did Ada sell?',
        gold: [],
        answer: null,
        without: ['m1'],
      },
    ]);
    expect(texts('foreign')).toEqual([
      'Which bicycle did Eve sell?',
      'Which violin did Cleo sell?',
    ]);
    expect(texts('renamed')).toEqual(['Which bicycle did Ada sell?', 'Which violin did Ada sell?']);
  });

  test('have names replaced as whole words', () => {
    expect(renamed("Is Ann's annex Anna's?", ['Ann', 'Anna'], ['Bo', 'Cy'])).toBe(
      "Is Bo's annex Cy's?",
    );
  });
});

describe('measuring answers', () => {
  test('reports missing sets as skipped, which is no failure', () => {
    expect(run(empty)).toBe(0);
    expect(lines).toEqual([
      'answers (locomo): skipped, no data',
      'answers (beam): skipped, no data',
    ]);
  });

  test('counts refusals and citations on the conversations that nothing was fitted on, and quotes no data', () => {
    expect(run(filled)).toBe(0);
    expect(figure('refused though answerable (2)')).toBe(0);
    expect(figure('refused: foreign')).toBe(100);
    expect(figure('refused: adversarial')).toBe(100);
    expect(figure('refused: what answers is kept back')).toBe(100);
    expect(figure('an answering message is cited')).toBe(100);
    expect(figure('words of the answer found')).toBe(100);
    expect(lines.join('\n')).not.toMatch(/kettle|marvellous|Ada|Which/u);
  });

  test('measures the passages of other languages when asked', () => {
    mkdirSync(join(filled, 'xquad'));
    const text = (id: string, thing: string): object => ({
      id,
      text: `Anna hat ${thing} gekauft.`,
    });
    writeFileSync(
      join(filled, 'xquad', 'de.json'),
      JSON.stringify({
        language: 'de',
        paragraphs: [text('p1', 'eine Geige'), text('p2', 'ein Fahrrad')],
        questions: [{ question: 'Wer hat die Geige gekauft?', evidence: ['p1'] }],
      }),
    );
    expect(run(filled, '--languages')).toBe(0);
    lines = lines.slice(lines.findIndex((line) => line.startsWith('answers (xquad de)')));
    expect(figure('an answering message is cited')).toBe(100);
    expect(figure('AUROC: what answers is kept back')).toBe(1);
  });

  test('fits again, and compares variants that were asked for', () => {
    expect(run(filled, '--fit', 'no-fit')).toBe(0);
    const text = lines.join('\n');
    expect(text).toMatch(/fitted on conversation 3 of each set: bias: -?\d+\.\d\d, fit: /u);
    expect(text).toMatch(/no-fit +locomo thorough/u);
    expect(text).not.toMatch(/people-alone/u);
  });

  test('names the variants when one is unknown', () => {
    expect(run(filled, 'no-such-variant')).toBe(2);
    expect(lines.join('\n')).toMatch(/people-alone/u);
  });
});
