/** `holds.uphold`, `holds.lift`: a curator decides about a request to forget. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { holdOutput, shownHold } from './hold-output.ts';
import { curatedHold, holdId } from './holds.ts';

const input = z.object({
  hold_id: holdId,
  version: z.int().describe('The version of the request that the caller decides about.'),
});

/** Who asked may take the request back, and does not uphold it: then nobody else would have decided. */
function assertMayDecide({ peerId }: Caller, requesterId: string | null, state: string): void {
  if (state === 'upheld' && peerId !== null && peerId === requesterId)
    throw new Refusal('forbidden');
}

async function decide(
  context: RequestContext<Caller>,
  { hold_id: id, version }: z.output<typeof input>,
  state: 'upheld' | 'lifted',
): Promise<z.input<typeof holdOutput>> {
  const { caller, inAccount, sweep, traceId } = context;
  const decided = await inAccount(caller.accountId, async (stores) => {
    const { holds } = stores;
    // Nobody judges texts by what is about to change.
    await holds.lock();
    const hold = await curatedHold(stores, caller, id);
    const again = { status: 200, resourceId: id };
    if ((await earlierAnswer(context, stores, [state, id, version], again)) !== null) return hold;
    assertMayDecide(caller, hold.requester_id, state);
    if (hold.version !== version || hold.state === state) throw new Refusal('conflict');
    await holds.decide(id, state, caller.peerId);
    const { kind, value_count: values } = hold;
    await holds.record(state, auditActor(caller), { id, kind, values });
    await holds.enterPass(traceId);
    return curatedHold(stores, caller, id);
  });
  sweep.soon();
  return shownHold(decided);
}

export const upholdHold = defineOperation({
  id: 'holds.uphold',
  access: 'human',
  effect: 'write',
  summary: 'Uphold a request to forget',
  description:
    'The values stay forgotten: nobody but who said them is shown them, here or in what is said later. The caller must be a curator of the scope, and not the person who asked. A curator may still lift it.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input,
  output: holdOutput,
  run: (context, asked) => decide(context, asked, 'upheld'),
});

export const liftHold = defineOperation({
  id: 'holds.lift',
  access: 'human',
  effect: 'write',
  summary: 'Lift a request to forget',
  description:
    'All texts are shown again as they were said, to whom they were shown before. The service does this in the background. The caller must be a curator of the scope.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input,
  output: holdOutput,
  run: (context, asked) => decide(context, asked, 'lifted'),
});
