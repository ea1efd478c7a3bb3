/** The shares of circles along a chain of scopes. */
import { expect, test } from '@jest/globals';
import {
  MOST_CIRCLES_OF_PEER_ALONG_CHAIN,
  mostCirclesOfPeerAt,
} from '../../../domain/circles/bounds.ts';
import { parseScopePath, ROOT_PATH, scopeChain } from '../../../domain/scopes/path.ts';

/** The deepest path that there can be. */
const DEEPEST = parseScopePath('s/'.repeat(32)) ?? ROOT_PATH;

test('a peer that is in as many circles of every scope as it may be stays within the bound of the longest chain', () => {
  const shares = scopeChain(DEEPEST).map(mostCirclesOfPeerAt);
  expect(shares).toHaveLength(33);
  expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(
    MOST_CIRCLES_OF_PEER_ALONG_CHAIN,
  );
});

test('every scope has a share, and a deeper scope never a larger one', () => {
  const shares = scopeChain(DEEPEST).map(mostCirclesOfPeerAt);
  expect(Math.min(...shares)).toBeGreaterThanOrEqual(1);
  expect(shares).toEqual(shares.toSorted((a, b) => b - a));
});
