/** `reviews.open`: a curator asks again whether a placed statement is true, and may withhold it meanwhile. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import { DESK_SHARD, reopeningOf } from '../../engine/knowledge/ruling.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { assertCurator } from '../access/curator.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';
import { assertTakenIn } from '../secrets.ts';
import { decisionOutput } from './decide.ts';
import { itemViews } from './item.ts';
import { wordsField } from './words-field.ts';

interface Reopening {
  readonly id: string;
  readonly reason: string;
  readonly withholds: boolean;
}

/** Opens the item, or refuses with `conflict` what is not placed, or is asked already. */
async function reopen(
  stores: Stores,
  caller: Caller & { readonly peerId: string },
  { id, reason, withholds }: Reopening,
): Promise<void> {
  const found = await stores.desk.findFor(id, caller.peerId);
  if (found === null || !curates(caller, found.scope_path)) throw new Refusal('not_found');
  const state = await stores.desk.lock(found);
  if (state === null) throw new Refusal('not_found');
  const open = await stores.reviews.openOf(id, ['revalidation']);
  if (open !== null && !withholds) throw new Refusal('conflict');
  const work = reopeningOf(state, id, withholds, { peerId: caller.peerId, channel: 'api' });
  if (work === null) throw new Refusal('conflict');
  await stores.desk.write(work);
  const item = await stores.reviews.openOf(id, ['revalidation']);
  if (item === null) throw new Refusal('conflict');
  await stores.reviewWords.say(item.id, caller.peerId, { reason, correction: null });
  await stores.audit.record({
    category: 'governance',
    action: 'review.opened',
    actor: auditActor(caller),
    resourceType: 'review_item',
    resourceId: item.id,
    metadata: { withheld: withholds },
  });
}

export const openReview = defineOperation({
  id: 'reviews.open',
  access: 'human',
  effect: 'write',
  summary: 'Ask again about a statement',
  description:
    'Opens an item about a placed statement in a scope that the caller curates. With `withhold` nobody but its submitters and the curators reads the statement until the item is decided, and only that decision places it again. Without, everybody reads it as before.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    knowledge_id: z.uuid(),
    reason: wordsField.meta({ description: 'Why the caller doubts it, for whoever decides.' }),
    withhold: z.boolean().nullish().describe('Whether to withhold the statement meanwhile.'),
  }),
  output: decisionOutput,
  async run(context, { knowledge_id: id, reason, withhold }) {
    const { caller, doorbell, inAccount } = context;
    const { accountId, peerId } = caller;
    assertCurator(caller);
    if (peerId === null) throw new Refusal('forbidden');
    await assertTakenIn(context, 'reason', () => reason);
    const withholds = withhold ?? false;
    const review = await inAccount(accountId, async (stores) => {
      const again = { status: 200, resourceId: id };
      const earlier = await earlierAnswer(context, stores, [id, reason, withholds], again);
      if (earlier === null) await reopen(stores, { ...caller, peerId }, { id, reason, withholds });
      const item = await stores.reviews.openOf(id, ['revalidation']);
      const [view] = item === null ? [] : await itemViews(stores, caller, [item]);
      if (view === undefined) throw new Refusal('conflict');
      return view;
    });
    doorbell.ring({ accountId, kind: 'projection', shard: DESK_SHARD });
    return { review, knowledge: review.knowledge };
  },
});
