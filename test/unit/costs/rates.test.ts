/** Tables of rates: the shipped one, those of operators, and what refuses the start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  MOST_RATES_BYTES,
  parseCostRates,
  PLANNING_REFERENCE,
} from '../../../domain/models/rates.ts';
import { ConfigError, loadConfig } from '../../../runtime/config/index.ts';

const RATES = { input: 1, output: 2, embedding: 3, reranker: 4 };
const FREE = { input: 0, output: 0, embedding: 0, reranker: 0 };

const table = (rates: unknown, id: unknown = 'ours') => JSON.stringify({ id, rates });

describe('the shipped table', () => {
  test('has one price for every remote model, and none for what is built in', () => {
    const remote = { input: 200_000, output: 800_000, embedding: 20_000, reranker: 20_000 };
    expect(PLANNING_REFERENCE).toMatchObject({ id: 'planning-reference-v1', source: 'shipped' });
    expect(PLANNING_REFERENCE.rateOf('openai-compatible', 'any')).toEqual(remote);
    expect(PLANNING_REFERENCE.rateOf('anthropic', 'any')).toEqual(remote);
    expect(PLANNING_REFERENCE.rateOf('deterministic', 'any')).toEqual(FREE);
  });
});

describe('the table of an operator', () => {
  test('prices a model by its name, else by its provider, else not at all', () => {
    const profile = parseCostRates(
      table({ 'anthropic:*': RATES, 'anthropic:a:b': { input: 7 }, 'openai-compatible:x': RATES }),
    );
    expect(profile).toMatchObject({ id: 'ours', source: 'operator' });
    expect(profile.rateOf('anthropic', 'a:b')).toEqual({ ...FREE, input: 7 });
    expect(profile.rateOf('anthropic', 'c')).toEqual(RATES);
    expect(profile.rateOf('openai-compatible', 'y')).toBeNull();
    expect(profile.rateOf('deterministic', 'x')).toBeNull();
  });

  test.each([
    ['not JSON', 'must hold JSON'],
    ['[]', 'must hold an object as the whole'],
    ['{"id": "a"}', 'must hold an object as `rates`'],
    [table({}, 17), 'needs an `id`'],
    [table({}, ''), 'needs an `id`'],
    [table({}, 'a b'), 'needs an `id`'],
    [table({}, 'planning-reference-v1'), 'may not have the id planning-reference-v1'],
    ['{"id": "a", "rates": {}, "currency": "EUR"}', 'unknown key "currency" in the whole'],
    [
      table({ 'anthropic:x': { ...RATES, cached: 1 } }),
      'unknown key "cached" in the rates of "anthropic:x"',
    ],
    [table({ 'anthropic:x': 5 }), 'must hold an object as the rates of "anthropic:x"'],
    [table({ 'anthropic:x': { input: 0.5 } }), 'as input of "anthropic:x"'],
    [table({ 'anthropic:x': { output: -1 } }), 'as output of "anthropic:x"'],
    [table({ 'anthropic:x': { embedding: '5' } }), 'as embedding of "anthropic:x"'],
    [table({ 'anthropic:x': { reranker: 1e13 } }), 'as reranker of "anthropic:x"'],
    [table({ anthropic: RATES }), 'names rates "anthropic"'],
    [table({ 'anthropic:': RATES }), 'names rates "anthropic:"'],
    [table({ 'none:x': RATES }), 'names rates "none:x"'],
    [table({ 'mistral:x': RATES }), 'names rates "mistral:x"'],
    [table({ [`anthropic:${'m'.repeat(300)}`]: RATES }), 'names rates'],
    [
      table(Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => [`anthropic:${n}`, RATES]))),
      'names more than 1000 models',
    ],
  ])('%s is refused in a sentence', (text, problem) => {
    expect(() => parseCostRates(text)).toThrow(problem);
  });
});

describe('SERVICE_COST_RATES_FILE', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'vouch-rates-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function load(text: string | null) {
    const path = join(folder, 'rates.json');
    rmSync(path, { force: true });
    if (text !== null) writeFileSync(path, text);
    try {
      return loadConfig({ SERVICE_COST_RATES_FILE: path }).costProfile.id;
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  }

  test('unset takes the shipped table', () => {
    expect(loadConfig({}).costProfile).toBe(PLANNING_REFERENCE);
  });

  test('takes the table of the file', () => {
    expect(load(table({ 'anthropic:*': RATES }))).toBe('ours');
  });

  test.each([
    [null, 'SERVICE_COST_RATES_FILE names a file that cannot be read'],
    ['{', 'SERVICE_COST_RATES_FILE must hold JSON'],
    [
      ' '.repeat(MOST_RATES_BYTES + 1),
      'SERVICE_COST_RATES_FILE names a file of more than 262144 bytes',
    ],
  ])('refuses the start with one sentence', (text, problem) => {
    expect(load(text)).toEqual([expect.stringContaining(problem)]);
  });
});
