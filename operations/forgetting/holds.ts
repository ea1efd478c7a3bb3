/** `holds.list`, `holds.read`: requests to forget, for the curators of their scopes. */
import { z } from 'zod';
import { HOLD_STATES } from '../../domain/forgetting/holds.ts';
import { invalidField, Refusal } from '../../domain/errors.ts';
import { curates, type Caller } from '../../domain/identity/caller.ts';
import type { FoundHold } from '../../stores/postgres/forgetting/holds.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { assertCurator } from '../access/curator.ts';
import { scopesOfRole } from '../access/scopes-of-role.ts';
import { auditActor } from '../audit-actor.ts';
import { limitField } from '../fields/read.ts';
import { subtreeField } from '../fields/subtree.ts';
import { defineOperation } from '../operation.ts';
import { holdOutput, shownHold } from './hold-output.ts';

/** Scopes whose requests are read one by one. */
const MOST_SCOPES_OF_A_LIST = 1_000;

export const holdId = z.uuid().describe('The request to forget.');

/** The hold, which the caller must curate. Throws `not_found` for what is missing, and for what the caller may not know of. */
export async function curatedHold(stores: Stores, caller: Caller, id: string): Promise<FoundHold> {
  const found = await stores.holds.findFor(id, caller.peerId);
  if (found === null || !curates(caller, found.scope_path)) throw new Refusal('not_found');
  return found;
}

export const listHolds = defineOperation({
  id: 'holds.list',
  access: 'human',
  effect: 'read',
  summary: 'List what people asked to be forgotten',
  description:
    'Lists the requests to forget of the scopes that the caller curates, without their words. The oldest come first: they are due first.',
  refusals: ['forbidden'],
  input: z.object({
    scope_path: subtreeField.meta({
      description: 'Only requests of this scope and its descendants. Absent: of the whole account.',
    }),
    state: z
      .enum(HOLD_STATES)
      .nullish()
      .transform((state) => state ?? null)
      .meta({ description: 'Only requests in this state. Absent: all.' }),
    limit: limitField,
    cursor: z
      .uuid()
      .nullish()
      .transform((cursor) => cursor ?? null)
      .meta({ description: 'The `next_cursor` of the previous page. Absent: the first page.' }),
  }),
  output: z.object({ items: z.array(holdOutput), next_cursor: z.uuid().nullable() }),
  async run({ caller, inAccount }, { cursor, limit, scope_path: within, state }) {
    assertCurator(caller);
    const rows = await inAccount(
      caller.accountId,
      async (stores) => {
        const most = MOST_SCOPES_OF_A_LIST + 1;
        const scopes = await scopesOfRole(stores, caller, { within, role: 'curator', limit: most });
        if (scopes.length === most) {
          throw invalidField(
            'scope_path',
            `must have at most ${MOST_SCOPES_OF_A_LIST} scopes below it`,
          );
        }
        return stores.holds.list({
          scopeIds: scopes.map(({ id }) => id),
          state,
          peerId: caller.peerId,
          afterId: cursor,
          limit: limit + 1,
        });
      },
      { readOnly: true },
    );
    const items = rows.slice(0, limit);
    return {
      items: items.map(shownHold),
      next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
    };
  },
});

export const readHold = defineOperation({
  id: 'holds.read',
  access: 'human',
  // Each look is on the record.
  effect: 'write',
  summary: 'Read a request to forget with its words',
  description:
    'Shows a curator of the scope the request as it was said, with the values that are to be forgotten. The audit log records each look.',
  refusals: ['not_found'],
  input: z.object({ hold_id: holdId }),
  output: holdOutput.extend({
    words: z
      .string()
      .nullable()
      .describe(
        'The request as it was said. Null if it was erased, or if a person redacted a statement.',
      ),
  }),
  async run({ caller, inAccount }, { hold_id: id }) {
    return inAccount(caller.accountId, async (stores) => {
      const hold = await curatedHold(stores, caller, id);
      const words = await stores.holds.wordsOf(id);
      if (words !== null) {
        const { kind, value_count: values } = hold;
        await stores.holds.record('read', auditActor(caller), { id, kind, values });
      }
      return { ...shownHold(hold), words };
    });
  },
});
