/** `overview.read`: how much the caller may read, how much waits for the caller, and what came to be believed lately. */
import { z } from 'zod';
import { aboutSubject, visibleByDefault } from '../../domain/governance/visibility.ts';
import { isCuratorSomewhere, type Caller } from '../../domain/identity/caller.ts';
import { openingsWithin } from '../../domain/identity/openings.ts';
import { ROOT_PATH } from '../../domain/scopes/path.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { knowledgeOutput } from '../observations/knowledge-output.ts';
import { defineOperation } from '../operation.ts';
import { countOutput, told } from './directory.ts';
import { curatesEverything } from '../access/curator-reach.ts';
import { scopesOfRole } from '../access/scopes-of-role.ts';
import { ownReader, ownScopedReader } from '../access/own-reader.ts';

/** Scopes that are looked at, the first ones of the tree. */
const MOST_SCOPES_LOOKED_AT = 100;
/** Scopes of which statements are counted in the first query; each further one takes twice as many. */
const FIRST_COUNTED_SCOPES = 10;
/** Scopes of a curator whose queues are counted one by one. */
const MOST_QUEUES = 1_000;
/** Counting stops here. For a larger number the answer says only that there are more. */
const MOST_TOLD = 1_000;
/** Statements that came to be believed lately. */
const MOST_LATEST = 12;

const output = z.object({
  scopes: countOutput,
  statements: countOutput,
  about_you: countOutput,
  waiting: countOutput.nullable().describe('Null if the caller curates no scope.'),
  is_partial: z
    .boolean()
    .describe(
      'Whether the caller may read more than 100 scopes. The numbers then cover the first 100.',
    ),
  latest: z
    .array(
      z.object({
        believed_from: z.iso.datetime(),
        knowledge: knowledgeOutput.extend({ scope_path: z.string() }),
      }),
    )
    .describe('The statements that became believed most recently, the latest first.'),
});

interface Looked {
  readonly stores: Stores;
  readonly caller: Caller;
  readonly at: string;
  readonly scopeIds: readonly string[];
}

const visibleIn = (caller: Caller, scopeIds: readonly string[], at: string) =>
  visibleByDefault({ scopeIds, reader: ownReader(caller), at });

/**
 * Statements of all the scopes together. Counting stops as soon as the number exceeds the largest one that an answer
 * shows.
 */
async function statementCount({ at, caller, scopeIds, stores }: Looked): Promise<number> {
  let sum = 0;
  let from = 0;
  for (let size = FIRST_COUNTED_SCOPES; from < scopeIds.length && sum <= MOST_TOLD; size *= 2) {
    const ids = scopeIds.slice(from, from + size);
    const counts = await stores.scopeDirectory.statements(ids, visibleIn(caller, ids, at));
    for (const count of counts.values()) sum += count;
    from += size;
  }
  return sum;
}

async function waitingCount({ caller, stores }: Looked) {
  if (!isCuratorSomewhere(caller)) return null;
  if (curatesEverything(caller)) return told(await stores.overview.waiting(null, caller.peerId));
  const scopes = await scopesOfRole(stores, caller, {
    within: ROOT_PATH,
    role: 'curator',
    limit: MOST_QUEUES + 1,
  });
  const ids = scopes.slice(0, MOST_QUEUES).map(({ id }) => id);
  const { count, more } = told(await stores.overview.waiting(ids, caller.peerId));
  return { count, more: more || scopes.length > MOST_QUEUES };
}

async function latestStatements({ at, caller, scopeIds, stores }: Looked) {
  const visible = visibleIn(caller, scopeIds, at);
  const latest = await stores.overview.latest(scopeIds, visible, MOST_LATEST);
  const rows = await stores.knowledge.read({
    selection: { by: 'ids', ids: latest.map(({ id }) => id) },
    visible,
    reader: ownScopedReader(caller),
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return latest.flatMap(({ believed_from: from, id }) => {
    const knowledge = byId.get(id);
    return knowledge === undefined ? [] : [{ believed_from: from, knowledge }];
  });
}

export const readOverview = defineOperation({
  id: 'overview.read',
  access: 'human',
  effect: 'read',
  summary: 'Read how many statements you may see, how many items wait for you, and what is new',
  description:
    'The service counts only what the caller may see, and stops at 1,000. The new statements are those of scopes that the caller may read.',
  refusals: [],
  input: z.object({}),
  output,
  async run({ caller, inAccount, now }) {
    return inAccount(
      caller.accountId,
      async (stores) => {
        const openings = openingsWithin(caller.grants, ROOT_PATH);
        const page = { openings, after: null, limit: MOST_SCOPES_LOOKED_AT + 1 };
        const scopes = await stores.scopeDirectory.page(page);
        const scopeIds = scopes.slice(0, MOST_SCOPES_LOOKED_AT).map(({ id }) => id);
        const looked: Looked = { stores, caller, at: now.toISOString(), scopeIds };
        const { peerId } = caller;
        const isPartial = scopes.length > MOST_SCOPES_LOOKED_AT;
        return {
          scopes: { count: scopeIds.length, more: isPartial },
          statements: told(await statementCount(looked)),
          about_you: told(
            peerId === null
              ? 0
              : await stores.overview.aboutPeer(peerId, aboutSubject(peerId, 'listed')),
          ),
          waiting: await waitingCount(looked),
          is_partial: isPartial,
          latest: await latestStatements(looked),
        };
      },
      { readOnly: true },
    );
  },
});
