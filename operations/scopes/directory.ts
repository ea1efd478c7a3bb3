/** `scope.directory`, `scope.read`: the scopes that a person may read, what stands in them, and who holds a role there. */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { visibleByDefault } from '../../domain/governance/visibility.ts';
import { curates, callerRoleAt, mayName, type Caller } from '../../domain/identity/caller.ts';
import { ROLES } from '../../domain/identity/roles.ts';
import { readableLinked } from '../../domain/identity/links.ts';
import { openingsWithin, topsFrom } from '../../domain/identity/openings.ts';
import { parseScopePath, ROOT_PATH, scopeChain, type ScopePath } from '../../domain/scopes/path.ts';
import type { ScopeRow } from '../../stores/postgres/scopes/scopes.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { scopePathInput } from '../identity/inputs.ts';
import { defineOperation, type RequestContext } from '../operation.ts';
import { boundedField } from '../fields/read.ts';
import { ownReader } from '../access/own-reader.ts';

/** Scopes of one page of the directory. */
const MOST_SCOPES_OF_PAGE = 50;
const SCOPES_OF_PAGE = 25;
/** Grants that are shown of one scope. */
const MOST_GRANTS_SHOWN = 200;
/** Counting stops here. For a larger number the answer says only that there are more. */
const MOST_TOLD = 1_000;

/** A count as answers tell it. */
export const countOutput = z
  .object({ count: z.int().min(0).max(MOST_TOLD), more: z.boolean() })
  .describe('`more`: there are more than the count, which stops at 1,000.');

const scopeFields = {
  path: z.string(),
  role: z.enum(ROLES).describe('The role of the caller in the scope.'),
  statements: countOutput.describe(
    'The number of statements that are believed now and that the caller may read.',
  ),
  documents: countOutput.describe(
    'Curators get the number of all documents, other callers that of their own uploads.',
  ),
  sessions: countOutput.describe(
    'Curators get the number of all sessions, other callers that of the sessions they take part in. Each document has a session of its own.',
  ),
  links: z.int().min(0).describe('Links to other scopes that the caller may read.'),
};

/** The count, which stops at 1,000. */
export const told = (count = 0) => ({ count: Math.min(count, MOST_TOLD), more: count > MOST_TOLD });

/** What stands in the scopes, for the caller: it is asked once for the scopes that the caller curates, and once for others. */
async function countedIn(stores: Stores, caller: Caller, scopes: readonly ScopeRow[], at: string) {
  const { scopeDirectory } = stores;
  const ids = scopes.map(({ id }) => id);
  const reader = ownReader(caller);
  const statements = await scopeDirectory.statements(
    ids,
    visibleByDefault({ scopeIds: ids, reader, at }),
  );
  const ofKind = async (kind: 'documents' | 'sessions') => {
    const curated = scopes.filter(({ path }) => curates(caller, path)).map(({ id }) => id);
    const others = ids.filter((id) => !curated.includes(id));
    const { peerId } = caller;
    return new Map([
      ...(await scopeDirectory[kind](curated, 'everybody')),
      ...(peerId === null ? [] : await scopeDirectory[kind](others, { peerId })),
    ]);
  };
  return { statements, documents: await ofKind('documents'), sessions: await ofKind('sessions') };
}

/** The rows as answers show them; scopes that the caller may not read are left out. */
async function described(stores: Stores, caller: Caller, scopes: readonly ScopeRow[], at: string) {
  const counted = await countedIn(stores, caller, scopes, at);
  const links = await stores.scopeLinks.ofScopes(scopes.map(({ id }) => id));
  return scopes.flatMap(({ id, path }) => {
    const parsed = parseScopePath(path);
    const role = parsed === null ? null : callerRoleAt(caller, parsed);
    if (role === null) return [];
    return [
      {
        path,
        role,
        statements: told(counted.statements.get(id)),
        documents: told(counted.documents.get(id)),
        sessions: told(counted.sessions.get(id)),
        links: readableLinked(caller, [id], links),
      },
    ];
  });
}

/** The scope that a page ends at, if the caller may read it: what is hidden and what is missing are refused alike. */
async function placeOf({ scopeDirectory }: Stores, caller: Caller, cursor: string | null) {
  if (cursor === null) return null;
  const row = await scopeDirectory.byId(cursor);
  const path = row === null ? null : parseScopePath(row.path);
  if (row === null || path === null || callerRoleAt(caller, path) === null) {
    throw new Refusal('invalid_request', {
      fields: [{ path: 'cursor', message: 'must be the cursor of the previous page' }],
    });
  }
  return { id: row.id, path };
}

export const listScopes = defineOperation({
  id: 'scope.directory',
  access: 'human',
  effect: 'read',
  summary: 'List the scopes that you may read, with their counts',
  input: z.object({
    within: scopePathInput.nullish().describe('Only this scope and its descendants. Absent: all.'),
    limit: boundedField({
      least: 1,
      most: MOST_SCOPES_OF_PAGE,
      unless: SCOPES_OF_PAGE,
      what: 'The most scopes on the page.',
    }),
    cursor: z.uuid().nullish().describe('The `next_cursor` of the previous page.'),
  }),
  output: z.object({
    items: z
      .array(z.object(scopeFields))
      .describe('In the order of the tree: a scope, then its descendants by name.'),
    next_cursor: z.uuid().nullable(),
  }),
  async run({ caller, inAccount, now }, { cursor = null, limit, within }) {
    return inAccount(
      caller.accountId,
      async (stores) => {
        const after = await placeOf(stores, caller, cursor);
        const openings = openingsWithin(caller.grants, within ?? ROOT_PATH);
        const tops = after === null ? openings.tops : (topsFrom(openings.tops, after.path) ?? []);
        const rows = await stores.scopeDirectory.page({
          openings: { ...openings, tops },
          after,
          limit: limit + 1,
        });
        const page = rows.slice(0, limit);
        const items = await described(stores, caller, page, now.toISOString());
        return {
          items: items.map((item) => ({ ...item, links: item.links.length })),
          next_cursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
        };
      },
      { readOnly: true },
    );
  },
});

const grantOutput = z.object({
  scope_path: z.string().describe('The scope of the grant.'),
  peer_key: z.string().nullable().describe('Null if the credential belongs to no peer.'),
  peer_name: z.string().nullable(),
  role: z.enum(ROLES),
  effect: z.enum(['allow', 'deny']),
  propagate: z
    .boolean()
    .describe('Whether the grant also applies to the descendants of the scope.'),
});

/** The one scope of the path, if it exists and the caller may read it. Throws `not_found`. */
export async function readableScope(
  { scopes }: Pick<Stores, 'scopes'>,
  caller: RequestContext<Caller>['caller'],
  path: ScopePath,
): Promise<ScopeRow> {
  const mayRead = mayName(caller, path) && callerRoleAt(caller, path) !== null;
  const [scope] = await scopes.find([path]);
  if (!mayRead || scope === undefined) throw new Refusal('not_found');
  return scope;
}

export const readScope = defineOperation({
  id: 'scope.read',
  access: 'human',
  effect: 'read',
  summary: 'Read one scope with its counts, links and grants',
  description: 'If the scope does not exist or the caller may not read it, the answer is 404.',
  refusals: ['not_found'],
  input: z.object({ scope_path: scopePathInput }),
  output: z.object({
    scope: z.object(scopeFields),
    is_curator: z.boolean(),
    linked: z.array(z.string()).describe('Paths of linked scopes that the caller may read.'),
    grants: z
      .array(grantOutput)
      .describe(
        'For curators of the scope: its own grants, and those grants of ancestors that reach it and that the caller curates too. Empty for other callers.',
      ),
    more_grants: z.boolean().describe('Whether there are more than the answer shows.'),
  }),
  async run({ caller, inAccount, now }, { scope_path: path }) {
    return inAccount(
      caller.accountId,
      async (stores) => {
        const row = await readableScope(stores, caller, path);
        const [item] = await described(stores, caller, [row], now.toISOString());
        if (item === undefined) throw new Refusal('not_found');
        const isCurator = curates(caller, path);
        const chain = scopeChain(path).filter((step) => curates(caller, step));
        const grants = isCurator
          ? await stores.scopeDirectory.grants(chain, MOST_GRANTS_SHOWN + 1)
          : [];
        return {
          scope: { ...item, links: item.links.length },
          is_curator: isCurator,
          linked: item.links.map((link) => link.path),
          grants: grants.slice(0, MOST_GRANTS_SHOWN),
          more_grants: grants.length > MOST_GRANTS_SHOWN,
        };
      },
      { readOnly: true },
    );
  },
});
