/** `self.ask_preference`, `validation.set_ask_preference`: how often a person wants to be asked. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { LONGEST_PAUSE_HOURS, NO_WISH, wishAfter } from '../../domain/questions/preference.ts';
import { MOST_PER_DAY, MOST_PER_SESSION } from '../../domain/questions/words.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation, type RequestContext } from '../operation.ts';

const boundedCount = (most: number, what: string) =>
  z
    .int()
    .nullish()
    .transform((count) => (count == null ? null : Math.min(most, Math.max(0, count))))
    .meta({
      description: `${what} The service clamps the number to 0..${most}. Absent: as before.`,
    });

const input = z.object({
  max_per_session: boundedCount(MOST_PER_SESSION, 'The most questions in one session.'),
  max_per_day: boundedCount(MOST_PER_DAY, 'The most questions in any 24 hours.'),
  pause_for_hours: boundedCount(
    LONGEST_PAUSE_HOURS,
    'For this number of hours the service asks nothing. 0 ends a pause.',
  ),
});

/** How often a person wants to be asked, as answers tell it. */
export const preferenceOutput = z
  .object({
    max_per_session: z.int().min(0),
    max_per_day: z.int().min(0),
    paused_until: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AskPreference', description: 'How often the service may ask a person.' });

/** A person may loosen what it said before; an agent that speaks as a peer only tightens it. */
async function setPreference(
  { caller, inAccount, now }: RequestContext<Caller>,
  wish: z.output<typeof input>,
): Promise<z.input<typeof preferenceOutput>> {
  const { accountId, kind, peerId } = caller;
  if (peerId === null) throw new Refusal('not_found');
  return inAccount(accountId, async ({ askPreferences, audit }) => {
    const before = (await askPreferences.lock(peerId)) ?? NO_WISH;
    const after = wishAfter(before, wish, { mayLoosen: kind === 'human', now });
    if (JSON.stringify(after) === JSON.stringify(before)) return after;
    await askPreferences.write(peerId, after);
    await audit.record({
      category: 'governance',
      action: 'ask_preference.changed',
      actor: auditActor(caller),
      resourceType: 'peer',
      resourceId: peerId,
      metadata: {
        max_per_session: after.max_per_session,
        max_per_day: after.max_per_day,
        is_paused: after.paused_until !== null,
      },
    });
    return after;
  });
}

export const setOwnAskPreference = defineOperation({
  id: 'self.ask_preference',
  access: 'human',
  effect: 'write',
  summary: 'Set how often the service asks you',
  description:
    'When an agent reads for you, the answer may carry a question about a statement about you. This operation sets how often. An empty body changes nothing and returns the current preference.',
  refusals: ['not_found'],
  input,
  output: preferenceOutput,
  run: (context, wish) => setPreference(context, wish),
});

/** The same for agents, which may only ask for fewer questions and longer pauses. */
export const tightenAskPreference = defineOperation({
  id: 'validation.set_ask_preference',
  access: 'any_identity',
  effect: 'write',
  summary: 'Ask a person less often',
  description:
    'An agent may only make questions rarer: a looser value than the present one changes nothing.',
  refusals: ['not_found'],
  input,
  output: preferenceOutput,
  run: (context, wish) => setPreference(context, wish),
});
