/** `reviews.list`: what waits for the caller as curator. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { ITEM_KINDS, OPEN_ITEM_STATES } from '../../domain/governance/items.ts';
import { isFiltered } from '../../domain/governance/queue-filter.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import { isWithin, parseScopePath, type ScopePath } from '../../domain/scopes/path.ts';
import type {
  ItemRow,
  QueuePage,
  QueuePart,
} from '../../stores/postgres/knowledge/reviews.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { assertCurator } from '../access/curator.ts';
import { curatesEverything } from '../access/curator-reach.ts';
import { defineOperation } from '../operation.ts';
import { scopesOfRole } from '../access/scopes-of-role.ts';
import { subtreeField } from '../fields/subtree.ts';
import { itemOutput, itemViews } from './item.ts';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 100;
/** Scopes whose queues are read one by one. Of a caller who curates more the queue of the account is read. */
export const MOST_SCOPES = 1_000;
/** Items of other scopes that a page passes over at most; then it ends early, and its cursor goes on from there. */
const MOST_PASSED = 10_000;
const PASSED_AT_ONCE = 1_000;

interface Found {
  readonly items: readonly ItemRow[];
  /** Where the next page begins; null at the end of the queue. */
  readonly cursor: string | null;
}

function pageOf({ items, lookedUpTo }: QueuePart, limit: number): Found {
  const shown = items.slice(0, limit);
  return { items: shown, cursor: items.length > limit ? (shown.at(-1)?.id ?? null) : lookedUpTo };
}

/** Reads the queue of the account and leaves out what others curate. */
async function passingOver(
  stores: Stores,
  page: QueuePage,
  isCurated: (item: ItemRow) => boolean,
): Promise<Found> {
  const found: ItemRow[] = [];
  let { afterId } = page;
  // With a filter one look passes over as many.
  const looks = isFiltered(page) ? 1 : MOST_PASSED / PASSED_AT_ONCE;
  for (let look = 0; look < looks; look += 1) {
    const part = await stores.reviews.next(null, { ...page, afterId, limit: PASSED_AT_ONCE });
    found.push(...part.items.filter(isCurated));
    if (found.length > page.limit) return pageOf({ items: found, lookedUpTo: null }, page.limit);
    const isCut = part.items.length === PASSED_AT_ONCE;
    afterId = isCut ? (part.items.at(-1)?.id ?? null) : part.lookedUpTo;
    if (afterId === null) return { items: found, cursor: null };
  }
  return { items: found, cursor: afterId };
}

/** The items below the path that the caller curates. */
async function curatedBelow(
  stores: Stores,
  caller: Caller,
  path: ScopePath,
  page: QueuePage,
): Promise<Found> {
  const next = async (scopeIds: readonly string[] | null): Promise<Found> =>
    pageOf(await stores.reviews.next(scopeIds, { ...page, limit: page.limit + 1 }), page.limit);
  if (curatesEverything(caller, path)) return next(null);
  const limit = MOST_SCOPES + 1;
  const scopes = await scopesOfRole(stores, caller, { within: path, role: 'curator', limit });
  if (scopes.length > MOST_SCOPES) {
    const isBelow = ({ scope_path: at }: ItemRow): boolean => {
      const place = parseScopePath(at);
      return place !== null && isWithin(place, path) && curates(caller, at);
    };
    return passingOver(stores, page, isBelow);
  }
  const ids = scopes.map(({ id }) => id);
  return ids.length === 0 ? { items: [], cursor: null } : next(ids);
}

const scopeField = subtreeField.meta({
  description: 'Only items of this scope and its descendants. Absent: of the whole account.',
});

export const listReviews = defineOperation({
  id: 'reviews.list',
  access: 'human',
  effect: 'read',
  summary: 'List the items that wait for you as curator',
  description:
    'Lists the open items of the scopes that the caller curates. A page may have fewer items than `limit`. As long as a page has a `next_cursor`, there may be more items.',
  refusals: ['forbidden'],
  input: z.object({
    scope_path: scopeField,
    kind: z.enum(ITEM_KINDS).nullish(),
    state: z.enum(OPEN_ITEM_STATES).nullish(),
    subject_key: z.string().nullish().meta({ description: 'Only items about this peer.' }),
    order: z
      .enum(['due', 'newest'])
      .nullish()
      .transform((order) => order ?? 'due')
      .meta({ wire: { default: 'due' } }),
    limit: z
      .unknown()
      .optional()
      .transform((value): number => {
        const number = typeof value === 'number' ? value : Number.NaN;
        return Number.isNaN(number)
          ? DEFAULT_LIMIT
          : Math.min(MAX_LIMIT, Math.max(1, Math.trunc(number)));
      })
      .meta({
        description: 'The most items to return. The service clamps the number to 1..100.',
        wire: { default: DEFAULT_LIMIT, examples: [DEFAULT_LIMIT] },
      }),
    cursor: z
      .uuid()
      .nullish()
      .meta({ description: 'The `next_cursor` of the previous page. Absent: the first page.' }),
  }),
  output: z.object({ items: z.array(itemOutput), next_cursor: z.uuid().nullable() }),
  async run({ caller, inAccount }, input) {
    assertCurator(caller);
    return inAccount(caller.accountId, async (stores) => {
      const { kind = null, limit, order, state = null, subject_key: key } = input;
      const subject = key == null ? null : await stores.peers.findByKey(key);
      if (key != null && subject === null) return { items: [], next_cursor: null };
      const afterId = input.cursor ?? null;
      if (afterId !== null) {
        const last = await stores.reviews.findFor(afterId, caller.peerId);
        if (last === null) throw invalidField('cursor', 'must be the cursor of the previous page');
      }
      const page = {
        kind,
        state,
        subjectPeerId: subject?.id ?? null,
        order,
        afterId,
        limit,
        curatorPeerId: caller.peerId,
      };
      const { cursor, items } = await curatedBelow(stores, caller, input.scope_path, page);
      return { items: await itemViews(stores, caller, items), next_cursor: cursor };
    });
  },
});
