/** Circles as callers are shown them. */
import { z } from 'zod';
import type { CircleMember, CircleRow } from '../../stores/postgres/circles/circles.store.ts';

const placeFields = {
  id: z.uuid(),
  scope_id: z.uuid(),
  scope_path: z.string(),
  name: z.string(),
  created_at: z.string(),
};

const memberOutput = z
  .object({
    peer_id: z.uuid(),
    peer_key: z.string(),
    added_by_peer_key: z
      .string()
      .nullable()
      .describe('Who added the member. Null for an operator, and for a person who was erased.'),
    added_themself: z.boolean().describe('Whether the member is the one who added the member.'),
    added_at: z.string(),
  })
  .meta({ id: 'CircleMember' });

export const circleOutput = z
  .object({ ...placeFields, members: z.array(memberOutput) })
  .meta({ id: 'Circle', description: 'A named list of peers of a scope.' });

export const changedCircleOutput = circleOutput.extend({
  changed: z.boolean().describe('False if the circle was so already.'),
});

export const listedCircleOutput = z
  .object({ ...placeFields, member_count: z.int() })
  .meta({ id: 'ListedCircle' });

export const deletedCircleOutput = z.object({ id: z.uuid() });

/** A circle with its members. */
export interface WholeCircle {
  readonly circle: CircleRow;
  readonly members: readonly CircleMember[];
}

export function shownCircle({ circle, members }: WholeCircle): z.input<typeof circleOutput> {
  return {
    ...circle,
    members: members.map((member) => ({
      peer_id: member.peer_id,
      peer_key: member.peer_key,
      added_by_peer_key: member.added_by_peer_key,
      added_themself: member.added_by_peer_id === member.peer_id,
      added_at: member.added_at,
    })),
  };
}
