/** `reviews.summary`: how many items of each kind wait for the caller as curator, and since when. */
import { z } from 'zod';
import { ITEM_KINDS } from '../../domain/governance/items.ts';
import { MOST_TOLD_AT_DESK } from '../../domain/governance/told-counts.ts';
import { areEverything } from '../../domain/identity/openings.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { KindCount } from '../../stores/postgres/knowledge/review-desk.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { assertCurator } from '../access/curator.ts';
import { curatorReach } from '../access/curator-reach.ts';
import { scopesOfRole } from '../access/scopes-of-role.ts';
import { subtreeField } from '../fields/subtree.ts';
import { defineOperation } from '../operation.ts';
import { MOST_SCOPES } from './list.ts';

/** The counts below the path. Of a caller who curates many scopes, the first items of the account are looked at. */
async function countsBelow(
  stores: Stores,
  caller: Caller,
  path: ScopePath,
): Promise<readonly KindCount[]> {
  const reach = curatorReach(caller, path);
  if (reach === null) return stores.reviewDesk.inScopes([], caller.peerId);
  if (areEverything(reach.openings)) return stores.reviewDesk.withinReach(reach);
  const limit = MOST_SCOPES + 1;
  const scopes = await scopesOfRole(stores, caller, { within: path, role: 'curator', limit });
  if (scopes.length > MOST_SCOPES) return stores.reviewDesk.withinReach(reach);
  const ids = scopes.map(({ id }) => id);
  return stores.reviewDesk.inScopes(ids, caller.peerId);
}

export const summarizeReviews = defineOperation({
  id: 'reviews.summary',
  access: 'human',
  effect: 'read',
  summary: 'Count the items that wait for you as curator',
  description: `Counts the open items of the scopes that the caller curates, by kind. A count stops at ${MOST_TOLD_AT_DESK}.`,
  refusals: ['forbidden'],
  input: z.object({
    scope_path: subtreeField.meta({
      description: 'Only items of this scope and its descendants. Absent: of the whole account.',
    }),
  }),
  output: z.object({
    kinds: z.array(
      z.object({
        kind: z.enum(ITEM_KINDS),
        count: z.int().min(0),
        is_capped: z.boolean().describe('Whether there may be more items than `count`.'),
        oldest_at: z.iso
          .datetime()
          .nullable()
          .describe('When the oldest of the counted items was opened. Null: there is none.'),
      }),
    ),
  }),
  async run({ caller, inAccount }, { scope_path: path }) {
    assertCurator(caller);
    const kinds = await inAccount(caller.accountId, (stores) => countsBelow(stores, caller, path), {
      readOnly: true,
    });
    return { kinds: [...kinds] };
  },
});
