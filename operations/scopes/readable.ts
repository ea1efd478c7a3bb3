/** `scope.readable`: where the caller may look. */
import { z } from 'zod';
import { callerRoleAt } from '../../domain/identity/caller.ts';
import { ROLES } from '../../domain/identity/roles.ts';
import { parseScopePath, ROOT_PATH } from '../../domain/scopes/path.ts';
import { defineOperation } from '../operation.ts';
import { scopesOfRole } from '../access/scopes-of-role.ts';

/** Scopes of one answer. */
const MOST_SCOPES_LISTED = 1_000;

const byPath = (one: { readonly path: string }, other: { readonly path: string }): number =>
  one.path < other.path ? -1 : 1;

export const listReadableScopes = defineOperation({
  id: 'scope.readable',
  access: 'human',
  effect: 'read',
  summary: 'List the scopes that you may read',
  input: z.object({}),
  output: z.object({
    items: z
      .array(z.object({ path: z.string(), role: z.enum(ROLES) }))
      .max(MOST_SCOPES_LISTED)
      .describe('In the order of their paths.'),
    more: z.boolean().describe('Whether the caller may read more scopes than the answer lists.'),
  }),
  async run({ caller, inAccount }) {
    const scopes = await inAccount(caller.accountId, (stores) =>
      scopesOfRole(stores, caller, {
        within: ROOT_PATH,
        role: 'reader',
        limit: MOST_SCOPES_LISTED + 1,
      }),
    );
    const items = scopes.slice(0, MOST_SCOPES_LISTED).flatMap(({ path }) => {
      const parsed = parseScopePath(path);
      const role = parsed === null ? null : callerRoleAt(caller, parsed);
      return role === null ? [] : [{ path, role }];
    });
    return { items: items.toSorted(byPath), more: scopes.length > MOST_SCOPES_LISTED };
  },
});
