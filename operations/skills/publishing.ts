/** Publishes and retires cards, for people and for operators. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { GAP_REPORT_IDENTITY } from '../../domain/identities.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import { MOST_SKILLS_OF_SCOPE, type CardContent } from '../../domain/skills/card.ts';
import type { CardInForce, CardRow } from '../../stores/postgres/skills/cards.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { earlierAnswer } from '../idempotency.ts';
import type { RequestContext } from '../operation.ts';

/** HTTP status of an answer: a version was entered, or nothing was done. */
export const PUBLISHED = 201;
const UNCHANGED = 200;

export interface Publication extends CardContent {
  readonly skill: string;
  readonly scopePath: ScopePath;
}

export interface Published {
  readonly status: 'published' | 'unchanged';
  readonly card: CardRow;
}

/** SHA-256 over the content as it is kept, lower-case hex: equal for equal content, however it was spelt. */
function hashOf({ description, requirements }: CardContent): string {
  return createHash('sha256')
    .update(JSON.stringify([GAP_REPORT_IDENTITY, description, requirements]))
    .digest('hex');
}

async function shownAs(stores: Stores, status: number, id: string): Promise<Published> {
  const card = await stores.skillCards.find(id);
  // A version that was published by a request sent again may not be kept any more.
  if (card === null) throw new Refusal('not_found');
  return { status: status === PUBLISHED ? 'published' : 'unchanged', card };
}

/** The answer to the same request before, where it has an idempotency key; the command line has none. */
function before(
  context: RequestContext,
  stores: Stores,
  fields: readonly unknown[],
  answer: { readonly status: number; readonly resourceId: string },
) {
  const { caller, idempotency } = context;
  return caller === null
    ? Promise.resolve(null)
    : earlierAnswer({ caller, idempotency }, stores, fields, answer);
}

/** What publishing meets at the scope. */
export interface Met {
  /** Null for a scope that nothing was written to yet. */
  readonly scopeId: string | null;
  /** The version in force; null where the skill has none. */
  readonly current: CardInForce | null;
  /** Of the publication. */
  readonly contentHash: string;
  /** Whether the version in force says the same. */
  readonly isSame: boolean;
}

async function meet(
  stores: Stores,
  scopeId: string | null,
  publication: Publication,
): Promise<Met> {
  const current =
    scopeId === null ? null : await stores.skillCards.current(scopeId, publication.skill);
  const contentHash = hashOf(publication);
  return { scopeId, current, contentHash, isSame: current?.content_hash === contentHash };
}

/** What publishing would meet now; changes nothing, and holds nobody up. Refuses a scope that is full, as publishing would. */
export async function meetUnpublished(stores: Stores, publication: Publication): Promise<Met> {
  const [scope] = await stores.scopes.find([publication.scopePath]);
  const met = await meet(stores, scope?.id ?? null, publication);
  if (scope !== undefined && met.current === null) await refuseFull(stores, scope.id);
  return met;
}

/**
 * Enters the content as the next version of the skill at the scope, in place of the version in force, unless that says the
 * same. Makes the scope where nothing was written to it yet, as an observation does.
 */
export async function publishCard(
  context: RequestContext,
  stores: Stores,
  publication: Publication,
): Promise<Published> {
  const { caller, now } = context;
  const { description, requirements, scopePath, skill } = publication;
  const scopeId = await stores.scopes.ensureChain(scopePath);
  await stores.scopes.lock(scopeId);
  const { contentHash, current, isSame } = await meet(stores, scopeId, publication);
  const id = current !== null && isSame ? current.id : uuidv7();
  const status = isSame ? UNCHANGED : PUBLISHED;
  const asked = [scopePath, skill, contentHash];
  const earlier = await before(context, stores, asked, { status, resourceId: id });
  if (earlier !== null) return shownAs(stores, earlier.status, earlier.resourceId);
  if (isSame) return shownAs(stores, status, id);
  if (current === null) await refuseFull(stores, scopeId);
  else await stores.skillCards.retire(current.id, now);
  const card = { id, scopeId, skill, description, requirements, contentHash, at: now };
  await stores.skillCards.insert({ ...card, schemaVersion: GAP_REPORT_IDENTITY });
  await stores.skillCards.prune(scopeId, skill);
  await record(stores, caller, 'skill_card.published', { id, scopeId, contentHash });
  return shownAs(stores, status, id);
}

async function refuseFull(stores: Stores, scopeId: string): Promise<void> {
  if ((await stores.skillCards.countOfScope(scopeId)) < MOST_SKILLS_OF_SCOPE) return;
  const message = `the scope has cards of ${MOST_SKILLS_OF_SCOPE} skills in force, which is the most`;
  throw invalidField('skill', message);
}

function record(
  stores: Stores,
  caller: Caller | null,
  action: 'skill_card.published' | 'skill_card.retired',
  { contentHash, id, scopeId }: { id: string; scopeId: string; contentHash?: string },
): Promise<void> {
  return stores.audit.record({
    category: 'governance',
    action,
    actor: auditActor(caller),
    resourceType: 'skill_card',
    resourceId: id,
    metadata: { scope_id: scopeId },
    ...(contentHash === undefined ? {} : { contentHash: Buffer.from(contentHash, 'hex') }),
  });
}

/** Ends the version, so that the card above is in force again, if there is one. A retired one stays as it is. */
export async function retireCard(
  context: RequestContext,
  stores: Stores,
  card: CardRow,
): Promise<CardRow> {
  await stores.scopes.lock(card.scope_id);
  const answer = { status: UNCHANGED, resourceId: card.id };
  const earlier = await before(context, stores, [card.id], answer);
  if (earlier === null && (await stores.skillCards.retire(card.id, context.now))) {
    await record(stores, context.caller, 'skill_card.retired', {
      id: card.id,
      scopeId: card.scope_id,
    });
  }
  return (await shownAs(stores, UNCHANGED, card.id)).card;
}
