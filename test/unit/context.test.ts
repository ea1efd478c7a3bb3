import { describe, expect, test } from '@jest/globals';
import { spendOnParts, spendOnStatements } from '../../domain/context/budget.ts';
import { factText } from '../../domain/context/facts.ts';
import { labelOf } from '../../domain/context/label.ts';
import {
  showPart,
  type ReadableSource,
  type ShownPart,
  type StoredContextCard,
} from '../../domain/context/parts.ts';

const NO_DATES = { from: null, until: null };

describe('a fact', () => {
  test('is the first 180 characters of a statement', () => {
    expect(factText('The depot opens.', NO_DATES)).toBe('The depot opens.');
    expect(factText('é'.repeat(181), NO_DATES)).toBe(`${'é'.repeat(180)}…`);
  });

  test('ends with its dates, each cut to its precision and never to a time', () => {
    const from = { at: '2026-03-02T00:00:00.000Z', precision: 'day' } as const;
    const until = { at: '2026-04-01T00:00:00.000Z', precision: 'month' } as const;
    const time = { at: '2026-03-02T09:30:00.000Z', precision: 'time' } as const;
    expect(factText('It', { from, until })).toBe('It (2026-03-02 to 2026-04)');
    expect(factText('It', { from: time, until: null })).toBe('It (from 2026-03-02)');
    expect(factText('It', { from: null, until })).toBe('It (until 2026-04)');
  });

  test.each([
    ['year', '2024', '2025', '2026', '2024'],
    ['month', '2024-03', '2024-04', '2024-05', '2024-03'],
    ['month', '2024-12', '2025-01', '2025-02', '2024-12'],
    ['day', '2024-02-28', '2024-02-29', '2024-03-01', '2024-02-28'],
    ['day', '2024-12-31', '2025-01-01', '2025-01-02', '2024-12-31'],
  ] as const)('of one whole %s names it once: %s', (precision, from, until, later, whole) => {
    const end = (text: string) => ({ at: new Date(text).toISOString(), precision });
    const of = (one: string, other: string) =>
      factText('It', { from: end(one), until: end(other) });
    expect(of(from, until)).toBe(`It (${whole})`);
    expect(of(from, later)).toBe(`It (${from} to ${later})`);
  });
});

describe('a label', () => {
  test('is the most frequent spelling, then the shortest', () => {
    const texts = ['(Lillehammer) is far.', 'To LILLEHAMMER!', "Lillehammer's tram."];
    expect(labelOf('lillehammer', texts)).toBe('Lillehammer');
    expect(labelOf('ana lima', ['Ask Ana Lima.', 'Ana   Lima sings'])).toBe('Ana Lima');
  });

  test('is missing where no text has the name', () => {
    expect(labelOf('bergen', ['Oslo is far.', `${'x'.repeat(5_000)} Bergen`])).toBeNull();
  });
});

const source = (id: string, changes: Partial<ReadableSource> = {}): ReadableSource => ({
  id,
  version: 1,
  statement: `Statement ${id}.`,
  sensitivity: 'public',
  validity: NO_DATES,
  ...changes,
});
const stored = (...ids: readonly string[]): StoredContextCard => ({
  kind: 'entity_card',
  scopeId: 's',
  scopePath: '/poc',
  targetId: 's',
  label: 'Bergen',
  entityKind: null,
  sources: ids.map((id) => ({ id, version: 1 })),
  sourceTotal: ids.length,
  summary: 'All of it.',
  summaryMode: 'model',
  summaryProvenance: { provider: 'p', model: 'm', modelVersion: '1', promptVersion: '1' },
});
const readable = (...sources: readonly ReadableSource[]) =>
  new Map(sources.map((one) => [one.id, one]));

describe('a part', () => {
  test('is shown whole while all its sources are there and unchanged', () => {
    const { isWhole, part } = showPart(
      stored('a', 'b', 'c', 'd'),
      readable(source('a'), source('b', { sensitivity: 'internal' }), source('c'), source('d')),
    );
    expect(isWhole).toBe(true);
    expect(part).toMatchObject({
      label: 'Bergen',
      summary: 'All of it.',
      summaryMode: 'model',
      sensitivity: 'internal',
    });
    expect(part?.facts.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['is another version', readable(source('a'), source('b'), source('c', { version: 2 }))],
    ['may not be read', readable(source('a'), source('b'))],
  ])('has no summary and no label when one source %s', (_why, sources) => {
    const { isWhole, part } = showPart(stored('a', 'b', 'c'), sources);
    expect(isWhole).toBe(false);
    expect(part).toMatchObject({
      label: null,
      summary: null,
      summaryMode: 'unavailable',
      summaryProvenance: null,
    });
  });

  test('is absent with one readable source', () => {
    expect(showPart(stored('a', 'b', 'c'), readable(source('a'))).part).toBeNull();
  });
});

describe('the budget', () => {
  const part = (summary: string | null, ...ids: readonly string[]): ShownPart => ({
    kind: 'scope_card',
    scopePath: '/poc',
    label: null,
    entityKind: null,
    sensitivity: 'public',
    summary,
    summaryMode: 'none',
    summaryProvenance: null,
    facts: ids.map((id) => ({ id, statement: 'x'.repeat(10) })),
  });
  const statement = (id: string, length: number) => ({ id, statement: 'y'.repeat(length) });

  test('takes parts whole, skips what does not fit, and charges a fact once', () => {
    const parts = [part(null, 'a'), part('z'.repeat(50), 'b'), part(null, 'a', 'c')];
    const spent = spendOnParts(parts, 20);
    expect(spent.parts).toEqual([parts[0], parts[2]]);
    expect([...spent.facts.keys()]).toEqual(['a', 'c']);
    expect(spent.left).toBe(0);
  });

  test('then takes statements that are not among the facts, as many as fit and as are asked for', () => {
    const statements = [
      statement('a', 1),
      statement('d', 30),
      statement('e', 5),
      statement('f', 5),
    ];
    const spent = spendOnParts([part(null, 'a')], 21);
    expect(spendOnStatements(statements, spent, 1).map(({ id }) => id)).toEqual(['e']);
    expect(spendOnStatements(statements, spendOnParts([], 0), 12)).toEqual([]);
  });
});
