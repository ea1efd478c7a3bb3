/** `knowledge.promote`: a curator asks that an active statement be shared in a wider scope. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import { isWithin, parseScopePath, ROOT_PATH, type ScopePath } from '../../domain/scopes/path.ts';
import { DESK_SHARD, promotionOf } from '../../engine/knowledge/ruling.ts';
import type { DeskState } from '../../stores/postgres/knowledge/desk.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import { defineOperation } from '../operation.ts';
import { decisionOutput } from '../reviews/decide.ts';
import { itemViews } from '../reviews/item.ts';
import { assertCurator } from '../access/curator.ts';

/** Whether the statement may be asked about: active, not over, and none that may never be shared. */
function mayMove({ now, statements }: DeskState, id: string): boolean {
  const statement = statements.find((each) => each.id === id);
  if (statement === undefined) return false;
  const isOver = statement.expiresAt !== null && statement.expiresAt <= now;
  return statement.state === 'active' && !isOver && statement.sensitivity !== 'restricted';
}

/** The statement and where it would go, if the caller is curator at both places. */
async function place(stores: Stores, caller: Caller, id: string, path: ScopePath) {
  const found = await stores.desk.findFor(id, caller.peerId);
  const at = found === null ? null : parseScopePath(found.scope_path);
  if (found === null || at === null || !curates(caller, at)) throw new Refusal('not_found');
  if (path === at || !isWithin(at, path)) {
    throw invalidField('target_scope_path', 'must be above the scope of the statement');
  }
  if (!curates(caller, path)) throw new Refusal('forbidden');
  const [target] = await stores.scopes.find([path]);
  if (target === undefined) throw new Refusal('not_found');
  const targetLevel = path === ROOT_PATH ? ('account' as const) : ('scope' as const);
  return { found, target: { targetScopeId: target.id, targetLevel } };
}

const targetField = z
  .string()
  .transform((text, context): ScopePath => {
    const path = parseScopePath(text);
    if (path !== null) return path;
    context.addIssue({ code: 'custom', message: 'must be a scope path' });
    return z.NEVER;
  })
  .meta({
    description: 'A scope above that of the statement; `/` shares it with the whole account.',
    wire: { examples: ['/team'] },
  });

export const promoteKnowledge = defineOperation({
  id: 'knowledge.promote',
  access: 'human',
  effect: 'write',
  summary: 'Ask that a statement be shared more widely',
  description:
    'Opens an item for the curators of the wider scope. The statement stays as it is until one of them approves, and, if it is personal, until its subject agrees.',
  refusals: ['forbidden', 'not_found', 'conflict'],
  input: z.object({ knowledge_id: z.uuid(), target_scope_path: targetField }),
  output: decisionOutput,
  async run(context, { knowledge_id: id, target_scope_path: path }) {
    const { caller, doorbell, inAccount } = context;
    const { accountId } = caller;
    assertCurator(caller);
    const review = await inAccount(accountId, async (stores) => {
      const { found, target } = await place(stores, caller, id, path);
      const state = await stores.desk.lock(found);
      if (state === null) throw new Refusal('not_found');
      const open = await stores.reviews.openOf(id, ['gate_b']);
      const isAsked = open !== null && open.target_scope_id === target.targetScopeId;
      const earlier = await earlierAnswer(context, stores, [path], { status: 200, resourceId: id });
      if (earlier === null && !isAsked) {
        if (open !== null || !mayMove(state, id)) throw new Refusal('conflict');
        await stores.desk.write(promotionOf(state, id, target));
        await stores.audit.record({
          category: 'governance',
          action: 'knowledge.promotion_asked',
          actor: auditActor(caller),
          resourceType: 'knowledge',
          resourceId: id,
          metadata: { target_scope_id: target.targetScopeId },
        });
      }
      const item = await stores.reviews.openOf(id, ['gate_b']);
      const [view] = item === null ? [] : await itemViews(stores, caller, [item]);
      if (view === undefined) throw new Refusal('conflict');
      return view;
    });
    doorbell.ring({ accountId, kind: 'projection', shard: DESK_SHARD });
    return { review, knowledge: review.knowledge };
  },
});
