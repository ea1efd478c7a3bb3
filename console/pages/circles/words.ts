/** Words that the pages of circles share. */

/** Below the scopes, because a circle belongs to one. */
export const CIRCLES_PATH = '/console/scopes/circles';

/** The address of the circles of the scope and of those above it. */
export function circlesAddress(scope: string): string {
  return `${CIRCLES_PATH}?${new URLSearchParams({ scope }).toString()}`;
}

export const KEYS_HINT = 'Keys of people and agents, one a line or separated by commas.';

/** Said before somebody becomes a member. */
export const READS_EARLIER =
  'From this moment a new member reads everything that is addressed to the circle, earlier things too. The service records who adds a member, and every member sees it.';

export const memberCount = (count: number): string =>
  count === 1 ? 'one member' : `${count} members`;
