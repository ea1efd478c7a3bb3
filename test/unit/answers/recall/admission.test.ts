/** Which of the found items a recall shows: found by several calls, from messages of their own, within the bounds. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvidenceItem } from '../../../../domain/answers/evidence.ts';
import { admitFound, fusedItems } from '../../../../domain/answers/recall/admission.ts';
import { EFFORTS, RECALL_CAPS, tokensOf } from '../../../../domain/answers/recall/caps.ts';
import { beginRecall } from '../../../../domain/answers/recall/state.ts';
import { evidence, idOf } from '../fixtures.ts';

const from = (n: number, ...sources: string[]): EvidenceItem => ({
  ...evidence(n, `Item ${n}.`),
  sourceMessageIds: sources,
});
const idsOf = (items: readonly EvidenceItem[]): string[] => items.map(({ id }) => id);
const ids = (...numbers: number[]): string[] => numbers.map(idOf);

describe('what several calls found', () => {
  test('is in the order of a single call', () => {
    expect(idsOf(fusedItems([{ weight: 1, items: [from(2), from(1)] }]))).toEqual(ids(2, 1));
  });

  test('begins with what more of them found, and then with what the earlier call found', () => {
    const lists = [
      { weight: 1, items: [from(1), from(2)] },
      { weight: 1, items: [from(3), from(2)] },
    ];
    expect(idsOf(fusedItems(lists))).toEqual(ids(2, 1, 3));
  });

  test('counts by the weight of the call, and an item of one call once', () => {
    const lists = [
      { weight: 0.4, items: [from(1), from(1), from(1)] },
      { weight: 1, items: [from(2)] },
    ];
    expect(idsOf(fusedItems(lists))).toEqual(ids(2, 1));
  });
});

describe('an admission', () => {
  const admitted = (items: readonly EvidenceItem[], shown: readonly EvidenceItem[] = []) =>
    idsOf(admitFound(beginRecall('low'), [{ weight: 1, items }], shown).items);

  test('takes one item of each message before a second one of any', () => {
    expect(admitted([from(1, 'a'), from(2, 'a'), from(3, 'b'), from(4, 'b', 'c')])).toEqual(
      ids(1, 3, 4, 2),
    );
  });

  test('counts the messages of what is shown in any case', () => {
    expect(admitted([from(1, 'a'), from(2, 'b')], [from(9, 'a')])).toEqual(ids(2, 1));
  });

  test('lets a message stand beside what was drawn from it', () => {
    const message = { ...from(2, 'a'), type: 'source_message' as const };
    expect(admitted([from(1, 'a'), message, from(3, 'b')])).toEqual(ids(1, 2, 3));
  });

  test('takes items of which the reader sees no message as if each had one of its own', () => {
    expect(admitted([from(1), from(2), from(3, 'a')])).toEqual(ids(1, 2, 3));
  });

  test('lets a better item of a later call take the place of one of an earlier call', () => {
    const first = { weight: 1, items: [from(1), from(2), from(3), from(4), from(5)] };
    const begun = admitFound(beginRecall('low'), [first], []);
    expect(idsOf(begun.items)).toEqual(ids(1, 2, 3, 4));
    const later = { weight: 1, items: [from(5), from(6)] };
    expect(idsOf(admitFound(begun, [first, later], []).items)).toEqual(ids(5, 1, 2, 6));
  });

  test('keeps the bounds of its effort, shows nothing twice, and says which bound left something out', () => {
    const item = fc
      .record({
        n: fc.nat(60),
        sources: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
        length: fc.nat(6_000),
      })
      .map(({ length, n, sources }) => ({ ...from(n, ...sources), text: 'x'.repeat(length) }));
    const items = fc.array(item, { maxLength: 30 });
    const lists = fc.array(fc.record({ weight: fc.constantFrom(0.4, 1), items }), { maxLength: 9 });
    fc.assert(
      fc.property(fc.constantFrom(...EFFORTS), lists, items, (effort, found, shown) => {
        const caps = RECALL_CAPS[effort];
        const state = admitFound(beginRecall(effort), found, shown);
        const tokens = state.items.reduce((sum, { text }) => sum + tokensOf(text), 0);
        expect(state.items.length).toBeLessThanOrEqual(caps.items);
        expect(tokens).toBeLessThanOrEqual(caps.evidenceTokens);
        expect(state.evidenceTokens).toBe(tokens);
        expect(new Set(idsOf(state.items)).size).toBe(state.items.length);
        const known = new Set(idsOf(shown));
        expect(state.items.some(({ id }) => known.has(id))).toBe(false);
        const all = new Set(
          found.flatMap((list) => idsOf(list.items)).filter((id) => !known.has(id)),
        );
        const isCut = state.exhausted.has('items') || state.exhausted.has('evidence_tokens');
        expect(isCut).toBe(state.items.length < all.size);
      }),
    );
  });
});
