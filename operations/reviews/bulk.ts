/** `reviews.bulk`: many decisions in one request, each in a transaction of its own. */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Refusal, type RefusalCode } from '../../domain/errors.ts';
import type { ItemState } from '../../domain/governance/items.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { assertCurator } from '../access/curator.ts';
import { earlierAnswer } from '../idempotency.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import type { SimpleDecision } from '../../engine/desk/decision.ts';
import { decideUnshown, reviewId, versionField, type SimplyDecided } from './decide.ts';

const MOST_DECISIONS = 100;
/** How long a request goes on deciding, in milliseconds: decisions about one person wait for each other. */
const LONGEST_BULK_MS = 30_000;
const DAY_MS = 86_400_000;

function decisionOf(action: SimpleDecision['action'], now: Date): SimpleDecision {
  if (action === 'approve') return { action, expiresAt: null };
  if (action === 'defer') return { action, until: new Date(now.getTime() + DAY_MS) };
  return { action };
}

interface Result {
  id: string;
  status: 'decided' | 'refused';
  code: RefusalCode | null;
}

const STATES_AFTER = {
  approve: ['approved', 'awaiting_consent'],
  reject: ['rejected'],
  defer: ['deferred'],
} as const satisfies Readonly<Record<SimpleDecision['action'], readonly ItemState[]>>;

/**
 * Decides, and answers why not, or null. A request that is sent again goes through its decisions again, in case the
 * first one was cut off; what was decided then counts as decided.
 */
async function codeOf(
  context: RequestContext<Caller>,
  decided: SimplyDecided,
  isSentAgain: boolean,
): Promise<RefusalCode | null> {
  try {
    await decideUnshown(context, decided);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!isSentAgain || error.code !== 'conflict') return error.code;
    const { accountId, peerId } = context.caller;
    const item = await context.inAccount(accountId, ({ reviews }) =>
      reviews.findFor(decided.id, peerId),
    );
    const after: readonly ItemState[] = STATES_AFTER[decided.decision.action];
    return item !== null && after.includes(item.state) ? null : error.code;
  }
}

/**
 * Decides one after the other, at least the first. What has not begun within `limitMs` is refused as unavailable: the
 * caller sends it again.
 */
export async function decideInTime<D extends { readonly id: string }>(
  decisions: readonly D[],
  limitMs: number,
  decide: (decision: D) => Promise<RefusalCode | null>,
): Promise<Result[]> {
  const startedAt = performance.now();
  const results: Result[] = [];
  for (const decision of decisions) {
    const isLate = results.length > 0 && performance.now() - startedAt >= limitMs;
    const code = isLate ? 'unavailable' : await decide(decision);
    results.push({ id: decision.id, status: code === null ? 'decided' : 'refused', code });
  }
  return results;
}

export const decideReviews = defineOperation({
  id: 'reviews.bulk',
  access: 'human',
  effect: 'write',
  summary: 'Decide many items',
  description: `A request holds at most ${MOST_DECISIONS} decisions. The service carries them out in their order, and goes on after a refused one. It refuses contests and contradictions with the code \`conflict\`: each of them is decided by itself, by who has read both sides. After ${LONGEST_BULK_MS / 1_000} seconds it refuses the rest with the code \`unavailable\`: send these again.`,
  refusals: ['forbidden'],
  input: z.object({
    decisions: z
      .array(
        z.object({
          id: reviewId,
          version: versionField,
          action: z.enum(['approve', 'reject', 'defer']),
        }),
      )
      .min(1)
      .max(MOST_DECISIONS),
  }),
  output: z.object({
    results: z.array(
      z.object({
        id: z.uuid(),
        status: z.enum(['decided', 'refused']),
        code: z
          .string()
          .nullable()
          .describe('The code of the error, if the service refused the decision.'),
      }),
    ),
  }),
  async run(context, { decisions }) {
    const { caller, inAccount, now } = context;
    assertCurator(caller);
    const key = { status: 200, resourceId: uuidv7() };
    const earlier = await inAccount(caller.accountId, (stores) =>
      earlierAnswer(context, stores, decisions, key),
    );
    const results = await decideInTime(decisions, LONGEST_BULK_MS, ({ action, id, version }) => {
      const decision = decisionOf(action, now);
      const decided = { id, version, decision, undoSeconds: 0, isAmongMany: true } as const;
      return codeOf({ ...context, idempotency: null }, decided, earlier !== null);
    });
    return { results };
  },
});
