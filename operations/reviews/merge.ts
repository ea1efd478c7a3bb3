/** `reviews.merge`: a curator says that the statement of an item says the same as another one. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import { mergerOf, openItemOf } from '../../engine/knowledge/ruling.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation } from '../operation.ts';
import {
  conclude,
  decisionOutput,
  lockItem,
  reviewId,
  versionField,
  type ItemVersion,
} from './decide.ts';

async function carryOut(
  stores: Stores,
  caller: Caller,
  decided: ItemVersion,
  intoId: string,
): Promise<void> {
  const into = await stores.desk.findFor(intoId, caller.peerId);
  if (into === null || !curates(caller, into.scope_path)) throw new Refusal('not_found');
  const { item, state } = await lockItem(stores, caller, decided, () => ({ rows: [into] }));
  const work = mergerOf(
    state,
    {
      id: item.knowledge_id,
      item: openItemOf(item),
      actor: { peerId: caller.peerId, channel: 'api' },
    },
    { intoId, corroboration: await stores.desk.attesters([item.knowledge_id, intoId]) },
  );
  if (work === null) throw new Refusal('conflict');
  await stores.desk.write(work);
}

export const mergeReview = defineOperation({
  id: 'reviews.merge',
  access: 'human',
  effect: 'write',
  summary: 'Merge the statement of an item into another one',
  description:
    'The other statement keeps its text and takes over the sources, so the speakers of both attest it. It must be open, about the same subject, no less sensitive, and in a scope that the caller curates. The service supersedes the merged statement. Returns the other statement.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({
    review_id: reviewId,
    version: versionField,
    into: z.uuid().describe('The id of the statement that stays.'),
  }),
  output: decisionOutput,
  async run(context, { into, review_id: id, version }) {
    return conclude(context, {
      id,
      version,
      action: 'merge',
      fields: [version, into],
      statementId: into,
      carryOut: (stores) => carryOut(stores, context.caller, { id, version }, into),
    });
  },
});
