import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { disagreementOf } from '../../../domain/retrieval/disagreement.ts';
import {
  degradedComponents,
  inReportingOrder,
  isDegrading,
  type ComponentOutcome,
} from '../../../domain/retrieval/outcomes.ts';
import { salience } from '../../../domain/retrieval/salience.ts';
import {
  NO_SOURCE_FILTERS,
  passesSourceFilters,
} from '../../../domain/retrieval/source-filters.ts';
import {
  fusionWeights,
  passagePoolSize,
  poolSize,
  RETRIEVAL_PROFILES,
} from '../../../domain/retrieval/strategies.ts';
import { temporalScore } from '../../../domain/retrieval/temporal.ts';
import { createIndexGate } from '../../../engine/indexes/index-gate.ts';
import {
  LONGEST_PASSAGE,
  MOST_PASSAGES,
  passagesOf,
  placedPassagesOf,
} from '../../../engine/analysis/passages.ts';
import { exclusionQueries, phraseQueries } from '../../../engine/retrieval/query-operators.ts';
import { limitField, parseInstant, readScopeField } from '../../../operations/fields/read.ts';

function outcome(part: Partial<ComponentOutcome>): ComponentOutcome {
  return {
    component: 'lexical',
    status: 'completed',
    reasonClass: null,
    elapsedMs: 1,
    budgetRemainingMs: null,
    ...part,
  };
}

describe('outcomes', () => {
  test('degrade when dropped or completed with a reason, not when not applicable', () => {
    expect(isDegrading(outcome({}))).toBe(false);
    expect(isDegrading(outcome({ status: 'dropped', reasonClass: 'timeout' }))).toBe(true);
    expect(isDegrading(outcome({ reasonClass: 'authorization_filtered' }))).toBe(true);
    expect(isDegrading(outcome({ status: 'not_applicable', reasonClass: 'applicability' }))).toBe(
      false,
    );
  });

  test('name each degraded part once, disabled ones first', () => {
    const lexical = outcome({ reasonClass: 'dependency_unavailable' });
    const disabled = outcome({ component: 'reranker', status: 'dropped', reasonClass: 'disabled' });
    expect(inReportingOrder([lexical, disabled])).toEqual([disabled, lexical]);
    expect(degradedComponents([disabled, lexical, lexical])).toEqual(['reranker', 'lexical']);
  });
});

describe('profiles', () => {
  test('fetch at least four times the page', () => {
    for (let limit = 1; limit <= 100; limit += 1) {
      expect(poolSize(limit)).toBeGreaterThanOrEqual(4 * limit);
      expect(passagePoolSize(limit)).toBeGreaterThanOrEqual(4 * limit);
    }
    expect([poolSize(12), poolSize(12, true), poolSize(80)]).toEqual([200, 500, 320]);
    expect([passagePoolSize(12), passagePoolSize(12, true), passagePoolSize(21)]).toEqual([
      200, 500, 500,
    ]);
  });

  test('give the built-in embedder a low weight', () => {
    const { balanced } = RETRIEVAL_PROFILES;
    expect(fusionWeights(balanced, 'deterministic').get('semantic')).toBe(0.2);
    expect(fusionWeights(balanced, 'able').get('semantic')).toBe(1);
    expect(fusionWeights(balanced, 'poor').get('semantic')).toBe(0.05);
    expect([...fusionWeights(balanced, 'deterministic').keys()]).toEqual([
      ...balanced.strategies.keys(),
    ]);
  });
});

describe('disagreement', () => {
  test('reports disjoint lists, low scores and an empty result', () => {
    const entry = (id: string, score: number) => ({ id, score });
    expect(disagreementOf([])).toEqual({
      strategyCount: 0,
      disjoint: false,
      lowScore: true,
      queryDependentEmpty: true,
    });
    expect(
      disagreementOf([
        { strategy: 'lexical', entries: [entry('a', 0.9)] },
        { strategy: 'semantic', entries: [entry('b', 0.1)] },
      ]),
    ).toEqual({ strategyCount: 2, disjoint: true, lowScore: false, queryDependentEmpty: false });
    expect(
      disagreementOf([{ strategy: 'salience_recency', entries: [entry('a', 0.1)] }]),
    ).toMatchObject({ lowScore: true, queryDependentEmpty: true, disjoint: false });
  });
});

describe('time', () => {
  const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();

  test('a window that covers the instant scores 1, others by days to the nearest edge', () => {
    const at = Date.parse(day(10));
    expect(temporalScore({ relevantFrom: day(5), relevantUntil: day(11) }, at)).toBe(1);
    expect(temporalScore({ relevantFrom: day(12), relevantUntil: null }, at)).toBeCloseTo(1 / 3);
    expect(temporalScore({ relevantFrom: null, relevantUntil: day(9) }, at)).toBe(0.5);
    expect(temporalScore({ relevantFrom: null, relevantUntil: day(10) }, at)).toBe(1);
    expect(temporalScore({ relevantFrom: null, relevantUntil: null }, at)).toBeNull();
  });

  test('salience falls with age, and grows with confidence and corroboration', () => {
    const at = Date.parse(day(31));
    const base = { confidence: 0.8, corroborationCount: 1, updatedAt: day(1) };
    expect(salience({ ...base, confidence: 1 }, at)).toBeGreaterThan(salience(base, at));
    expect(salience({ ...base, corroborationCount: 2 }, at)).toBeGreaterThan(salience(base, at));
    expect(salience(base, at)).toBeCloseTo(0.8 * (1 + Math.log(2)) * Math.exp(-1));
    expect(salience({ ...base, updatedAt: day(40) }, at)).toBeCloseTo(0.8 * (1 + Math.log(2)));
  });
});

test('source filters must all hold, and a document matches no statement', () => {
  const statement = {
    extractingProvider: 'p',
    extractingModel: 'm',
    pipelineVersion: 'v',
    corroborationCount: 2,
    hasSourceMessage: false,
  };
  const passes = (part: object): boolean =>
    passesSourceFilters({ ...NO_SOURCE_FILTERS, ...part }, statement);
  expect(passes({})).toBe(true);
  expect(passes({ provider: 'p', model: 'm', minimumCorroboration: 2 })).toBe(true);
  expect(passes({ provider: 'p', model: 'other' })).toBe(false);
  expect(passes({ minimumCorroboration: 3 })).toBe(false);
  expect(passes({ sourceMessageId: 'x' })).toBe(false);
  expect(passes({ sourceDocumentId: 'x' })).toBe(false);
});

describe('operators', () => {
  test('ask for at most ten words in all, and never narrow by cutting', () => {
    const long = Array.from({ length: 8 }, (_, i) => `w${i}`).join(' ');
    expect(phraseQueries([long, 'a b c d'])).toEqual([{ q: `"${long}" "a b"`, field: 'text' }]);
    expect(exclusionQueries([`${long} a b c`])).toEqual([]);
    expect(exclusionQueries(['dogs'])).toEqual([{ q: '"dogs"', field: 'text' }]);
  });

  test('ask for runs of scripts without spaces through their coded bigrams', () => {
    const [query] = phraseQueries(['東京大学']);
    expect(query?.field).toBe('coded');
    expect(query?.q.split(' ')).toHaveLength(3);
    expect(phraseQueries(['京'])).toEqual([]);
    expect(exclusionQueries(['京'])).toEqual([]);
  });
});

describe('passages', () => {
  test('cover the text, are short, and cut no character in two', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.lorem({ maxCount: 60 }), fc.string({ unit: 'grapheme', maxLength: 900 })),
          {
            maxLength: 12,
          },
        ),
        (parts) => {
          const text = parts.join(' ');
          const passages = passagesOf(text);
          let covered = 0;
          for (const passage of passages) {
            expect(passage.length).toBeLessThanOrEqual(1200);
            expect(passage.isWellFormed()).toBe(text.isWellFormed() || passage.isWellFormed());
            const start = text.indexOf(passage, covered);
            expect(text.slice(covered, start).trim()).toBe('');
            covered = start + passage.length;
          }
          expect(text.slice(covered).trim()).toBe('');
        },
      ),
      { numRuns: 200 },
    );
  });

  test('leave a short text whole', () => {
    expect(passagesOf('short')).toEqual(['short']);
    expect(passagesOf('')).toEqual(['']);
  });

  test('are joined into longer ones where there would be thousands, and none of the text is lost', () => {
    const text = '湖の家。'.repeat(40_000);
    const placed = placedPassagesOf(text);
    expect(placed.length).toBeGreaterThan(100);
    expect(placed.length).toBeLessThanOrEqual(MOST_PASSAGES);
    expect(Math.max(...placed.map((passage) => passage.text.length))).toBeLessThanOrEqual(
      LONGEST_PASSAGE,
    );
    expect(placed.map((passage) => passage.text).join('')).toBe(text);
  });
});

describe('the index gate', () => {
  test('closes on silence, probes at most once per interval, opens on an answer', async () => {
    let now = 0;
    let answers = false;
    let probes = 0;
    const gate = createIndexGate({
      now: () => now,
      probeIntervalMs: 100,
      probe: async () => {
        probes += 1;
        if (!answers) throw new Error('away');
      },
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    expect(gate.isOpen()).toBe(true);
    gate.close();
    expect([gate.isOpen(), probes]).toEqual([false, 0]);
    now = 100;
    expect([gate.isOpen(), gate.isOpen(), probes]).toEqual([false, false, 1]);
    await turn();
    expect(gate.isOpen()).toBe(false);
    answers = true;
    now = 200;
    expect(gate.isOpen()).toBe(false);
    await turn();
    expect([gate.isOpen(), probes]).toEqual([true, 2]);
  });
});

describe('input fields', () => {
  test('read instants with and without offset, and no others', () => {
    expect(parseInstant('2026-03-01')).toBe('2026-03-01T00:00:00.000Z');
    expect(parseInstant('2026-03-01T12:00')).toBe('2026-03-01T12:00:00.000Z');
    expect(parseInstant('2026-03-01 12:00:00.5+0200')).toBe('2026-03-01T10:00:00.500Z');
    for (const text of ['2026-02-30', 'soon', '2026-13-01', '1 May 2026', '2026-03-01T25:00']) {
      expect([text, parseInstant(text)]).toEqual([text, null]);
    }
  });

  test('clamp limits, and use the default for a value that is not a number', () => {
    const limits = [undefined, null, 'many', '', {}, Number.NaN, -3, 0, 7.9, '40', 1e9];
    expect(limits.map((value) => limitField.parse(value))).toEqual([
      12, 12, 12, 12, 12, 12, 1, 1, 7, 40, 100,
    ]);
  });

  test('take a blank scope for the default and refuse a malformed one', () => {
    expect([null, '', ' ', 'a//b/'].map((value) => readScopeField.parse(value))).toEqual([
      '/poc',
      '/poc',
      '/poc',
      '/a/b',
    ]);
    expect(readScopeField.safeParse('/../x').success).toBe(false);
  });

  test('may be waited for by the first to ask after the index is back, whose probe ends with its patience', async () => {
    let now = 0;
    const probes: AbortSignal[] = [];
    let answer: () => void = () => undefined;
    const gate = createIndexGate({
      now: () => now,
      probeIntervalMs: 100,
      probe: (signal) => {
        probes.push(signal);
        return new Promise<void>((resolve, reject) => {
          answer = resolve;
          signal.addEventListener('abort', () => reject(signal.reason));
        });
      },
    });
    gate.close();
    now = 100;
    expect(await gate.opensWithin(5)).toBe(false);
    expect(probes.map(({ aborted }) => aborted)).toEqual([true]);
    now = 200;
    const first = gate.opensWithin(10_000);
    expect(await gate.opensWithin(5)).toBe(false);
    expect(probes.map(({ aborted }) => aborted)).toEqual([true, false]);
    answer();
    expect(await first).toBe(true);
    expect(gate.isOpen()).toBe(true);
  });
});
