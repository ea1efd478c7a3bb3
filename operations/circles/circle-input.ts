/** A change of a circle as callers ask for it. */
import { z } from 'zod';
import { MOST_MEMBERS_OF_CIRCLE } from '../../domain/circles/bounds.ts';
import { labelField } from '../fields/observation.ts';

/** The name of a circle. */
export const circleNameField = labelField.meta({
  description: 'The name of the circle. A scope has one circle of a name.',
  wire: { minLength: 1, maxLength: 256, examples: ['care team'] },
});

const keysField = (description: string) =>
  z
    .array(labelField)
    .max(MOST_MEMBERS_OF_CIRCLE)
    .nullish()
    .transform((keys) => keys ?? null)
    .meta({ description });

const someKeysField = (description: string) =>
  keysField(description).transform((keys) => keys ?? []);

/** The peers of a change, by their keys. */
export const memberFields = {
  members: keysField(
    'The keys of all members from now on. Creates the circle if it does not exist. Peers that the list leaves out leave the circle.',
  ),
  add: someKeysField('The keys of peers that join the circle; all other members stay.'),
  remove: someKeysField('The keys of members that leave the circle.'),
};

interface Peers {
  readonly members: readonly string[] | null;
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

interface Issues {
  addIssue(issue: { code: 'custom'; path: (string | number)[]; message: string }): void;
}

/** Refuses a change that says nothing, or two things about one peer. */
export function refineMembers({ add, members, remove }: Peers, context: Issues): void {
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: 'custom', path, message });
  const others = add.length + remove.length;
  if (members === null && others === 0) refuse(['members'], 'is required without add and remove');
  if (members !== null && others > 0) refuse(['members'], 'must stand without add and remove');
  const joining = new Set(add);
  for (const [place, key] of remove.entries()) {
    if (joining.has(key)) refuse(['remove', place], 'must name a peer that add does not name');
  }
}
