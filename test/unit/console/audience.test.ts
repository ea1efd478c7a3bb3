/** Who reads a statement, in words; and what a person may answer about it, with who reads it then. */
import { describe, expect, test } from '@jest/globals';
import {
  aboutOf,
  readersChange,
  readersOf,
  readersWords,
  type About,
} from '../../../console/design/audience.ts';
import { ownAnswers } from '../../../console/pages/own-answers.ts';
import { AUDIENCES } from '../../../domain/governance/audience.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import type { KnowledgeState } from '../../../domain/statements/states.ts';
import { readPage, type Form } from '../../console/browser.ts';
import type { Markup } from '../../../console/design/markup.ts';

const ADA = { name: 'Ada' };

/** What a browser shows of it. */
const pageOf = (markup: Markup) =>
  readPage(
    {
      status: 200,
      headers: {},
      text: `<body>${markup.toString()}</body>`,
      bytes: Buffer.alloc(0),
      json: () => null,
    },
    '/',
  );
const wordsOf = (readers: (typeof AUDIENCES)[number], about: About, path = '/team'): string =>
  pageOf(readersWords({ readers, scope_path: path }, about)).text;

const OWN = {
  id: '0192f0c4-7d1e-7cc0-8a5b-5e3c6c1f0a11',
  state: 'provisional' as KnowledgeState,
  sensitivity: 'internal' as const,
  target_level: 'peer' as const,
  subject_peer_id: '0192f0c4-7d1e-7cc0-8a5b-5e3c6c1f0a12',
  has_audience: false,
  scope_path: '/team',
};

describe('who reads a statement', () => {
  test('is said with the name of whom it is about, and with the scope', () => {
    expect(AUDIENCES.map((readers) => wordsOf(readers, ADA))).toEqual([
      'Ada, who it is about, and whoever said it',
      'Ada, who it is about, and whoever said it',
      'those it was said to, and Ada, who it is about, and whoever said it',
      'everyone who may read /team',
      'everyone who may read /team, and agents that act for nobody',
      'nobody',
    ]);
  });

  test('is said to the person herself as “you”, and of nobody by name where no name is known', () => {
    expect(wordsOf('subject', 'viewer')).toBe('you and whoever said it');
    expect(wordsOf('subject', aboutOf(OWN))).toBe('the person it is about and whoever said it');
    expect(wordsOf('subject', aboutOf(OWN, OWN.subject_peer_id))).toBe('you and whoever said it');
    expect(wordsOf('submitters', null)).toBe('only whoever said it');
    expect(wordsOf('scope', ADA, '/')).toBe('everyone in the account');
  });

  test('is said with how many these are, where that is known', () => {
    const among = (count: number, isCapped: boolean): string =>
      pageOf(
        readersWords(
          { readers: 'scope', scope_path: '/team', people: { count, is_capped: isCapped } },
          ADA,
        ),
      ).text;
    expect(among(1, false)).toBe('everyone who may read /team (1 reader)');
    expect(among(1_200, false)).toBe('everyone who may read /team (1,200 readers)');
    expect(among(1_000, true)).toBe('everyone who may read /team (more than 1,000 readers)');
  });

  test('is said before and after only where it changes', () => {
    const change = (state: KnowledgeState): string =>
      pageOf(readersChange(readersOf(OWN, { state }), readersOf(OWN), ADA)).text;
    expect(change('active')).toBe(
      'then read by everyone who may read /team (now: Ada, who it is about, and whoever said it)',
    );
    expect(change('held')).toBe('still read by Ada, who it is about, and whoever said it');
  });
});

describe('what a person answers about a statement about her', () => {
  const to = { confirm: '/yes', contest: '/wrong', redact: '/no' };
  const request = { csrf: 'token', form: {}, path: '/', problem: null };
  const answers = (state: KnowledgeState): readonly Form[] =>
    pageOf(ownAnswers(request, { ...OWN, state }, { yes: 'Yes', to })).forms;

  test('names who reads it then on each button, in each state', () => {
    for (const state of KNOWLEDGE_STATES) {
      for (const { button } of answers(state)) expect(button).toMatch(/: (?:then|still) read by /);
    }
    expect(answers('provisional').map(({ action }) => action)).toEqual(['/yes', '/wrong', '/no']);
  });

  test('withdraws it at the second step, which says that nobody can take it back', () => {
    const { source, text } = pageOf(ownAnswers(request, OWN, { yes: 'Yes', to }));
    const step = source.slice(source.lastIndexOf('<details'), source.indexOf('action="/no"'));
    expect(step).toContain('</summary>');
    expect(text).toContain('Nobody can bring it back');
  });

  test('keeps what she wrote when it was refused', () => {
    const again = { ...request, path: '/wrong', form: { reason: 'It was my sister.' } };
    const { source } = pageOf(ownAnswers(again, OWN, { yes: 'Yes', to }));
    expect(source).toMatch(/<details\s+open>/);
    expect(source).toContain('It was my sister.');
  });
});
