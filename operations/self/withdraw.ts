/** `self.withdraw`: a person takes back what that person said, whomever it is about. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Condition } from '../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES } from '../../domain/statements/states.ts';
import { DESK_SHARD, takingBackOf } from '../../engine/knowledge/ruling.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { defineOperation } from '../operation.ts';
import { readableRow } from './readable-row.ts';

const spokenStatement = knowledgeOutput.extend({ scope_path: z.string() }).meta({
  id: 'SpokenStatement',
  description: 'A statement that the caller said, and the path of its scope.',
});

/** What the peer said or passed on, but for what is gone for everybody. */
const saidBy = (peerId: string): Condition => ({
  all: [
    { field: 'submitting_peer_ids', contains: peerId },
    {
      field: 'state',
      in: KNOWLEDGE_STATES.filter((state) => state !== 'redacted' && state !== 'retracted'),
    },
  ],
});

/** Answers whether the statement changed: it does not where the caller took its word back before. */
async function takeBack(stores: Stores, peerId: string, id: string): Promise<boolean> {
  const found = await stores.desk.find(id);
  if (found === null) throw new Refusal('not_found');
  const state = await stores.desk.lock(found);
  // Under the lock: somebody may have erased or merged it meanwhile, or she may have said it again.
  const attests = state === null ? null : await stores.desk.attests(id, peerId);
  if (state === null || attests === null) throw new Refusal('not_found');
  if (!attests) return false;
  const work = takingBackOf(state, id, { peerId, channel: 'api' });
  if (work === null) throw new Refusal('conflict');
  await stores.desk.write(work);
  await stores.desk.withdrawAttestation(id, peerId);
  return true;
}

export const withdrawOwnWord = defineOperation({
  id: 'self.withdraw',
  access: 'human',
  effect: 'write',
  summary: 'Take back what you said',
  description:
    'The caller must be a speaker of a source of the statement. The caller attests it no more, until the caller says it again. If nobody else says it, nobody but its submitters and the curators reads it until a curator decides. Of others who say it too, the statement stays. The same request again changes nothing. An ended statement is 409.',
  refusals: ['not_found', 'conflict'],
  input: z.object({
    knowledge_id: z.uuid().describe('The statement, which the caller must have said.'),
  }),
  output: spokenStatement,
  async run(context, { knowledge_id: id }) {
    const { caller, doorbell, inAccount } = context;
    const { accountId, peerId } = caller;
    if (peerId === null) throw new Refusal('not_found');
    const { changed, row } = await inAccount(accountId, async (stores) => {
      const again = { status: 200, resourceId: id };
      if ((await stores.desk.attests(id, peerId)) === null) throw new Refusal('not_found');
      // What is gone for everybody is missing for who said it, too.
      await readableRow(stores, caller, id, saidBy(peerId));
      const earlier = await earlierAnswer(context, stores, ['withdraw', id], again);
      const isTaken = earlier === null && (await takeBack(stores, peerId, id));
      if (isTaken) {
        await stores.audit.record({
          category: 'governance',
          action: 'knowledge.withdrawn_by_speaker',
          actor: auditActor(caller),
          resourceType: 'knowledge',
          resourceId: id,
        });
      }
      return { changed: isTaken, row: await readableRow(stores, caller, id, saidBy(peerId)) };
    });
    if (changed) doorbell.ring({ accountId, kind: 'projection', shard: DESK_SHARD });
    return row;
  },
});
