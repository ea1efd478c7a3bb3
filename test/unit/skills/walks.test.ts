import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KINDS } from '../../../domain/statements/kinds.ts';
import { visibleToReadiness } from '../../../domain/governance/visibility.ts';
import { ATTRIBUTES } from '../../../domain/statements/attributes.ts';
import type { Selector } from '../../../domain/skills/card.ts';
import { ANY_STATEMENT } from '../../../domain/skills/read-selector.ts';
import { matchRead } from '../../../domain/skills/walks.ts';
import { cardOf } from './fixtures.ts';

const READER = { posture: 'peer', peerId: '01890000-0000-7000-8000-000000000001' } as const;
const AT = '2026-03-01T00:00:00.000Z';

function reading(selectors: readonly Partial<Selector>[], scopes: number) {
  const card = cardOf(
    '/',
    selectors.map((selector, n) => ({
      key: `k${n}`,
      selector: { ...ANY_STATEMENT, ...selector },
    })),
  );
  const scopeIds = Array.from({ length: scopes }, (_, n) => `scope-${n}`);
  const visible = visibleToReadiness({ scopeIds, reader: READER, at: AT });
  return matchRead(
    { peerId: READER.peerId, scopeIds, reader: READER, visible, at: AT },
    card.requirements.map((requirement) => ({ requirement, card })),
  );
}

test('few requirements meet a thousand statements of each walk, and many at least twenty', () => {
  expect(reading([{ kind: ['fact'] }], 1).mostMet).toBe(1_000);
  expect(reading([{}], 10).mostMet).toBeLessThan(1_000);
  expect(
    reading(
      Array.from({ length: 64 }, () => ({})),
      33,
    ).mostMet,
  ).toBe(20);
});

test('all comparisons of a report are bounded, and what is over is met no further than what is active', () => {
  const selector = fc.record({
    kind: fc.subarray([...KINDS]),
    attribute: fc.subarray([...ATTRIBUTES]),
  });
  fc.assert(
    fc.property(
      fc.array(selector, { minLength: 1, maxLength: 64 }),
      fc.integer({ min: 1, max: 33 }),
      (selectors, scopes) => {
        const { mostMet, mostOver } = reading(selectors, scopes);
        const walks = selectors.reduce(
          (sum, { attribute, kind }) =>
            sum + (attribute.length > 0 ? attribute.length : kind.length || KINDS.length),
          0,
        );
        expect(mostMet === 20 || mostMet * walks * scopes <= 30_000).toBe(true);
        expect(mostOver).toBeLessThanOrEqual(Math.min(100, mostMet));
      },
    ),
  );
});
