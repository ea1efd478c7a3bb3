/** `scope.link`, `scope.unlink`, `scope.links`: which scopes a search reads beside its chain when it asks for links. */
import { z } from 'zod';
import { invalidField } from '../../domain/errors.ts';
import { MOST_LINKS_OF_SCOPE } from '../../domain/identity/links.ts';
import type { ScopePath } from '../../domain/scopes/path.ts';
import type { ScopeRow } from '../../stores/postgres/scopes/scopes.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { auditActor } from '../audit-actor.ts';
import { resolveAccount } from '../identity/account.ts';
import { accountInput, scopePathInput } from '../identity/inputs.ts';
import { defineOperation } from '../operation.ts';
import { NO_SCOPE } from './no-scope.ts';

const ends = z.object({ account: accountInput, from: scopePathInput, to: scopePathInput });
const changedOutput = z.object({
  from_scope_path: z.string(),
  to_scope_path: z.string(),
  changed: z.boolean(),
});

/** Both scopes, whose rows it holds. Refuses a path without a scope. */
async function lockedEnds(
  { scopeLinks }: Stores,
  { from, to }: { readonly from: ScopePath; readonly to: ScopePath },
): Promise<readonly [ScopeRow, ScopeRow]> {
  if (from === to) throw invalidField('to', 'must be another scope than from');
  const scopes = await scopeLinks.lockEnds([from, to]);
  const at = (field: string, path: ScopePath): ScopeRow => {
    const scope = scopes.find((one) => one.path === path);
    if (scope === undefined) throw invalidField(field, NO_SCOPE);
    return scope;
  };
  return [at('from', from), at('to', to)];
}

async function refuseFull(
  { scopeLinks }: Stores,
  [from, to]: readonly [ScopeRow, ScopeRow],
): Promise<void> {
  for (const [field, { id }] of [['from', from] as const, ['to', to] as const]) {
    if ((await scopeLinks.count(id)) >= MOST_LINKS_OF_SCOPE) {
      throw invalidField(field, `has ${MOST_LINKS_OF_SCOPE} links, which is the most`);
    }
  }
}

function recordChange(
  stores: Stores,
  caller: Parameters<typeof auditActor>[0],
  action: 'scope.linked' | 'scope.unlinked',
  [from, to]: readonly [ScopeRow, ScopeRow],
): Promise<void> {
  return stores.audit.record({
    category: 'configuration',
    action,
    actor: auditActor(caller),
    resourceType: 'scope',
    resourceId: from.id,
    metadata: { to_scope_id: to.id },
  });
}

/** Links two scopes, which are made where nothing was written to them yet. The same link twice, in either direction, changes nothing. */
export const linkScopes = defineOperation({
  id: 'scope.link',
  access: 'operator',
  effect: 'write',
  input: ends,
  output: changedOutput,
  async run({ caller, directory, inAccount }, { account, ...input }) {
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async (stores) => {
      // In one order, so that two who make the same scopes at once do not wait for each other.
      for (const path of [input.from, input.to].toSorted()) await stores.scopes.ensureChain(path);
      const scopes = await lockedEnds(stores, input);
      const [from, to] = scopes;
      const changed = !(await stores.scopeLinks.exists(from.id, to.id));
      if (changed) {
        await refuseFull(stores, scopes);
        await stores.scopeLinks.insert(from.id, to.id);
        await recordChange(stores, caller, 'scope.linked', scopes);
      }
      return { from_scope_path: from.path, to_scope_path: to.path, changed };
    });
  },
});

/** Ends a link, whichever end is named first. Scopes that are not linked stay so. */
export const unlinkScopes = defineOperation({
  id: 'scope.unlink',
  access: 'operator',
  effect: 'destroy',
  input: ends,
  output: changedOutput,
  async run({ caller, directory, inAccount }, { account, ...input }) {
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async (stores) => {
      const [from, to] = await lockedEnds(stores, input);
      const changed = await stores.scopeLinks.remove(from.id, to.id);
      if (changed) {
        await recordChange(stores, caller, 'scope.unlinked', [from, to]);
      }
      return { from_scope_path: from.path, to_scope_path: to.path, changed };
    });
  },
});

export const listScopeLinks = defineOperation({
  id: 'scope.links',
  access: 'operator',
  effect: 'read',
  input: z.object({ account: accountInput, scope: scopePathInput.optional() }),
  output: z.object({
    links: z.array(
      z.object({
        from_scope_path: z.string(),
        to_scope_path: z.string(),
        created_at: z.string(),
      }),
    ),
  }),
  async run({ directory, inAccount }, { account, scope: path }) {
    const accountId = await resolveAccount(directory, account);
    return inAccount(accountId, async (stores) => {
      if (path === undefined) return { links: [...(await stores.scopeLinks.list(null))] };
      const [scope] = await stores.scopes.find([path]);
      if (scope === undefined) throw invalidField('scope', NO_SCOPE);
      return { links: [...(await stores.scopeLinks.list(scope.id))] };
    });
  },
});
