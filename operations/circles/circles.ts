/**
 * `circles.list`, `circles.read`, `circles.put`, `circles.delete`: circles, for the curators of their scopes and, to read,
 * for their members.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { curates, readableChain, type Caller } from '../../domain/identity/caller.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';
import type { ReadCircle } from '../../stores/postgres/circles/circles.store.ts';
import { scopePathField } from '../fields/observation.ts';
import { flagField, limitField, readScopeField } from '../fields/read.ts';
import { defineOperation } from '../operation.ts';
import { changeCircle, deleteCircleOf } from './changing.ts';
import { circleNameField, memberFields, refineMembers } from './circle-input.ts';
import {
  changedCircleOutput,
  circleOutput,
  deletedCircleOutput,
  listedCircleOutput,
  shownCircle,
} from './circle-output.ts';

const placeField = scopePathField.meta({
  description: 'The scope of the circle. Its descendants inherit the circle.',
  wire: { minLength: 1, examples: ['/team/project'] },
});

export const listCircles = defineOperation({
  id: 'circles.list',
  access: 'human',
  effect: 'read',
  summary: 'List the circles of a scope and its ancestors',
  description:
    'A curator of a scope sees all its circles. Every other reader sees the circles that the reader is a member of. The oldest circles come first.',
  input: z.object({
    scope_path: readScopeField,
    limit: limitField,
    cursor: z
      .uuid()
      .nullish()
      .transform((cursor) => cursor ?? null)
      .meta({ description: 'The `next_cursor` of the previous page. Absent: the first page.' }),
  }),
  output: z.object({
    items: z.array(listedCircleOutput),
    next_cursor: z.uuid().nullable(),
  }),
  async run({ caller, inAccount }, { cursor, limit, scope_path: scopePath }) {
    const rows = await inAccount(
      caller.accountId,
      async (stores) => {
        const scopes = await stores.scopes.find(readableChain(caller, scopePath));
        const curated = scopes.filter(({ path }) => curates(caller, path));
        const others = scopes.filter((scope) => !curated.includes(scope));
        return stores.circles.list({
          curatedScopeIds: curated.map(({ id }) => id),
          otherScopeIds: others.map(({ id }) => id),
          peerId: caller.peerId,
          after: cursor,
          limit: limit + 1,
        });
      },
      { readOnly: true },
    );
    const items = rows.slice(0, limit);
    return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
  },
});

/** A curator of the scope reads every circle of it, a member its own ones where it may read the scope. */
function mayRead(caller: Caller, { is_member: isMember, scope_path: scopePath }: ReadCircle) {
  if (curates(caller, scopePath)) return true;
  const path = parseScopePath(scopePath);
  return path !== null && isMember && readableChain(caller, path).includes(path);
}

export const readCircle = defineOperation({
  id: 'circles.read',
  access: 'human',
  effect: 'read',
  summary: 'Read a circle with its members',
  description:
    'Only curators of the scope and members of the circle may read it. It says of each member who added the member.',
  refusals: ['not_found'],
  input: z.object({ circle_id: z.uuid() }),
  output: circleOutput,
  async run({ caller, inAccount }, { circle_id: id }) {
    return inAccount(
      caller.accountId,
      async ({ circles }) => {
        const found = await circles.findAs(id, caller.peerId);
        if (found === null || !mayRead(caller, found)) throw new Refusal('not_found');
        const { is_member: _, ...circle } = found;
        return shownCircle({ circle, members: await circles.members(id) });
      },
      { readOnly: true },
    );
  },
});

export const putCircle = defineOperation({
  id: 'circles.put',
  access: 'human',
  effect: 'write',
  summary: 'Create a circle or change its members',
  description:
    'Only curators of the scope may. The service judges membership when somebody reads: from this moment a new member reads everything that is addressed to the circle, earlier things too, and a peer that left reads nothing more of it. `members` replaces all members and creates the circle, and its scope, if they do not exist. `add` and `remove` change single members of a circle that exists.',
  refusals: ['forbidden', 'not_found', 'unknown_peer', 'conflict'],
  input: z
    .object({
      scope_path: placeField,
      name: circleNameField,
      ...memberFields,
      only_new: flagField.meta({
        description: 'With `members`: refuses a circle that exists already with 409.',
      }),
    })
    .superRefine(refineMembers),
  output: changedCircleOutput,
  async run({ caller, inAccount }, { scope_path: scopePath, only_new: onlyNew, ...input }) {
    // The refusal comes before any look-up, so that it reveals nothing about a scope that the caller does not curate.
    if (!curates(caller, scopePath)) throw new Refusal('forbidden');
    const { changed, ...whole } = await inAccount(caller.accountId, (stores) =>
      changeCircle(caller, stores, { ...input, onlyNew, scopePath }),
    );
    return { ...shownCircle(whole), changed };
  },
});

export const deleteCircle = defineOperation({
  id: 'circles.delete',
  access: 'human',
  effect: 'destroy',
  summary: 'Delete a circle',
  description:
    'Only curators of the scope may. Peers to whom something was addressed through this circle alone read it no more. A new circle of the same name does not bring that back.',
  refusals: ['forbidden', 'not_found'],
  input: z.object({ scope_path: placeField, name: circleNameField }),
  output: deletedCircleOutput,
  async run({ caller, inAccount }, { name, scope_path: scopePath }) {
    if (!curates(caller, scopePath)) throw new Refusal('forbidden');
    const id = await inAccount(caller.accountId, (stores) =>
      deleteCircleOf(caller, stores, { name, scopePath }),
    );
    return { id };
  },
});
