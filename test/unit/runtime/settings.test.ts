/** What the service does not do yet is not taken for a setting. */
import { describe, expect, test } from '@jest/globals';
import { ConfigError, loadConfig, SETTING_NAMES } from '../../../runtime/config/index.ts';
import { settingsNotBuilt } from '../../../runtime/config/not-built.ts';

function problemsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

describe('a setting of the contract that nothing reads yet', () => {
  test.each(['SERVICE_CONNECTOR_ROOTS', 'SERVICE_RETENTION_MESSAGES_DAYS', 'SERVICE_DREAM_AT'])(
    '%s ends the start with a sentence, and no value in it',
    (name) => {
      const problems = problemsOf({ [name]: '{"hidden": 17}' });
      expect(problems).toEqual([expect.stringContaining(`${name} has no effect`)]);
      expect(problems.join()).not.toContain('hidden');
    },
  );

  test('is no problem where it is empty', () => {
    expect(problemsOf({ SERVICE_DREAM_AT: '' })).toEqual([]);
  });

  test('is none of those that are read', () => {
    expect(settingsNotBuilt(SETTING_NAMES)).toEqual([]);
  });
});

describe('daily token limits', () => {
  const of = (text: string) =>
    loadConfig({ SERVICE_BUDGET_LIMITS_JSON: text }).settings.SERVICE_BUDGET_LIMITS_JSON;

  test('are of roles, or of all roles together, by metric', () => {
    expect(loadConfig({}).settings.SERVICE_BUDGET_LIMITS_JSON).toEqual({});
    const limits = {
      '*': { input_tokens: 5, output_tokens: 0 },
      embedder: { embedding_tokens: 7 },
      dream_reasoner: {},
    };
    expect(of(JSON.stringify(limits))).toEqual(limits);
  });

  test.each([
    ['a flat form', '{"input_tokens": 1000}'],
    ['an unknown role', '{"extractor": {"input_tokens": 1}}'],
    ['an unknown key', '{"*": {"tokens": 1}}'],
    ['a negative number', '{"*": {"input_tokens": -1}}'],
    ['a fraction', '{"*": {"input_tokens": 1.5}}'],
    ['a text', '{"*": {"input_tokens": "1"}}'],
    ['a list', '[]'],
    ['no JSON', 'hidden'],
  ])('refuse the start as %s, with a sentence that names the form', (_name, text) => {
    const problems = problemsOf({ SERVICE_BUDGET_LIMITS_JSON: text });
    expect(problems).toEqual([
      expect.stringContaining('SERVICE_BUDGET_LIMITS_JSON must be JSON of the form {"*":'),
    ]);
    expect(problems.join()).not.toContain('hidden');
  });
});

describe('minimal recall', () => {
  test('is admitted by the word true alone', () => {
    const of = (word: string) =>
      loadConfig({ SERVICE_EXPERIMENTAL_MINIMAL_RECALL: word }).settings
        .SERVICE_EXPERIMENTAL_MINIMAL_RECALL;
    expect(of('true')).toBe(true);
    expect(of('false')).toBe(false);
    expect(of('')).toBe(false);
    expect(problemsOf({ SERVICE_EXPERIMENTAL_MINIMAL_RECALL: '1' })).toEqual([
      'SERVICE_EXPERIMENTAL_MINIMAL_RECALL must be true or false',
    ]);
  });
});
