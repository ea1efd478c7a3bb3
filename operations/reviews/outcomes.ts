/** `reviews.outcomes`: what became of items that the caller has decided. */
import { curates } from '../../domain/identity/caller.ts';
import { z } from 'zod';
import { assertCurator } from '../access/curator.ts';
import { defineOperation } from '../operation.ts';
import { reviewId } from './decide.ts';
import { itemOutput, itemViews } from './item.ts';

const MOST_ITEMS = 100;

export const readOutcomes = defineOperation({
  id: 'reviews.outcomes',
  access: 'human',
  effect: 'read',
  summary: 'Read the outcomes of items',
  description:
    'Curators of the scopes of the items may read them, in any state. The answer shows no text of a source, so the service records no look. It leaves out items of other scopes as if they did not exist.',
  refusals: ['forbidden'],
  input: z.object({ review_ids: z.array(reviewId).min(1).max(MOST_ITEMS) }),
  output: z.object({ items: z.array(itemOutput) }),
  async run({ caller, inAccount }, { review_ids: ids }) {
    assertCurator(caller);
    const items = await inAccount(
      caller.accountId,
      async (stores) => {
        const found = [];
        for (const id of new Set(ids)) {
          const item = await stores.reviews.findFor(id, caller.peerId);
          if (item !== null && curates(caller, item.scope_path)) found.push(item);
        }
        return itemViews(stores, caller, found);
      },
      { readOnly: true },
    );
    return { items };
  },
});
