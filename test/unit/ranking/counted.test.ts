import { describe, expect, test } from '@jest/globals';
import { SENSITIVITIES } from '../../../domain/statements/candidate.ts';
import { KNOWLEDGE_STATES } from '../../../domain/statements/states.ts';
import { countsForRanking, mayUseFrequencies } from '../../../domain/governance/counted.ts';

describe('the words of a statement are counted', () => {
  const counted = KNOWLEDGE_STATES.flatMap((state) =>
    SENSITIVITIES.filter((sensitivity) =>
      countsForRanking({ state, sensitivity, audience: null }),
    ).map((sensitivity) => `${state} ${sensitivity}`),
  );

  test('only when every peer of the scope may read it', () => {
    expect(counted).toEqual(['active public', 'active internal']);
  });

  test('and not when it has an audience, even one that names nobody any more', () => {
    const audiences = [['ana'], []];
    expect(
      audiences.map((audience) =>
        countsForRanking({ state: 'active', sensitivity: 'public', audience }),
      ),
    ).toEqual([false, false]);
  });
});

test('a reader of public statements only may not use frequencies', () => {
  expect(mayUseFrequencies({ posture: 'public_only' })).toBe(false);
  expect(mayUseFrequencies({ posture: 'peer', peerId: 'p' })).toBe(true);
  expect(mayUseFrequencies({ posture: 'internal' })).toBe(true);
});
