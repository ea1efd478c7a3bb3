/** What the tools of a recall may do, and which statements a period lets through. */
import { describe, expect, test } from '@jest/globals';
import { NO_SOURCE_FILTERS } from '../../../../domain/retrieval/source-filters.ts';
import type { MadeSearch } from '../../../../operations/retrieval/searching.ts';
import { heldWithin } from '../../../../domain/answers/recall/narrowing.ts';
import { permissionsOf } from '../../../../operations/retrieval/recall/tools.ts';
import { evidence } from '../fixtures.ts';

const on = { sourceExact: true, sourceSemantic: true, stableProfile: true };
const made = (changes: Partial<MadeSearch['request']> = {}): MadeSearch =>
  ({
    request: { asOf: null, sourceFilters: NO_SOURCE_FILTERS, ...changes },
  }) as unknown as MadeSearch;

describe('a recall may', () => {
  test('do what its switches say', () => {
    expect(permissionsOf(on, made())).toEqual({ ...on, lineage: true });
    const off = { sourceExact: false, sourceSemantic: false, stableProfile: false };
    expect(permissionsOf(off, made())).toEqual({ ...off, lineage: true });
  });

  test('not look into a profile of today for a past instant', () => {
    expect(permissionsOf(on, made({ asOf: '2030-01-01T00:00:00.000Z' }))).toEqual({
      ...on,
      stableProfile: false,
      lineage: true,
    });
  });

  test.each([
    ['provider', 'x'],
    ['model', 'x'],
    ['pipelineVersion', 'x'],
    ['minimumCorroboration', 0],
    ['sourceMessageId', 'x'],
    ['sourceDocumentId', 'x'],
  ])('only search with a filter by %s', (name, value) => {
    const sourceFilters = { ...NO_SOURCE_FILTERS, [name]: value };
    expect(permissionsOf(on, made({ sourceFilters }))).toEqual({
      sourceExact: false,
      sourceSemantic: false,
      stableProfile: false,
      lineage: false,
    });
  });
});

describe('a period', () => {
  const march = heldWithin({ from: '2030-03-01T00:00:00.000Z', until: '2030-04-01T00:00:00.000Z' });
  const end = (day: string | null) =>
    day === null ? null : { at: `${day}T00:00:00.000Z`, precision: 'day' as const };
  const held = (from: string | null, until: string | null, saidAt: string | null = null) => ({
    ...evidence(1, 'Ana keeps bees.', {
      validity: { from: end(from), until: end(until) },
      spoken:
        saidAt === null
          ? null
          : {
              peerKey: 'ana',
              peerName: 'Ana',
              role: 'user',
              occurredAt: `${saidAt}T12:00:00.000Z`,
            },
    }),
    derivationLevel: 1,
  });

  test.each([
    ['2030-03-31', null],
    [null, '2030-03-02'],
    ['2020-01-01', '2040-01-01'],
  ])('lets through what holds from %s to %s', (from, until) => {
    expect(march(held(from, until))).toBe(true);
  });

  test.each([
    ['2030-04-01', null],
    [null, '2030-03-01'],
    ['2020-01-01', '2030-03-01'],
  ])('leaves out what holds from %s to %s', (from, until) => {
    expect(march(held(from, until, '2030-03-15'))).toBe(false);
  });

  test('goes by when a statement without dates was said', () => {
    expect(march(held(null, null, '2030-03-15'))).toBe(true);
    expect(march(held(null, null, '2030-04-15'))).toBe(false);
    expect(march(held(null, null))).toBe(false);
  });

  test('may be open at an end', () => {
    expect(heldWithin({ from: null, until: null })(held('2050-01-01', null))).toBe(true);
    expect(
      heldWithin({ from: '2030-03-01T00:00:00.000Z', until: null })(held(null, '2030-02-01')),
    ).toBe(false);
  });
});
