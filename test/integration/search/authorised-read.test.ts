/** What a read reaches, and by which values it searches: decided in one transaction, on a real database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Interceptor } from 'slonik';
import type { Caller } from '../../../domain/identity/caller.ts';
import type { Grant } from '../../../domain/identity/roles.ts';
import type { ProfileOverride } from '../../../domain/retrieval/profile-override.ts';
import { RETRIEVAL_PROFILES, type RetrievalProfile } from '../../../domain/retrieval/strategies.ts';
import { parseScopePath, ROOT_PATH } from '../../../domain/scopes/path.ts';
import type { Indexer } from '../../../engine/indexes/indexer.ts';
import type { OpenSearchRequest, SearchAccess } from '../../../engine/retrieval/request.ts';
import { execute } from '../../../operations/execute.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import { authoriseRead, type ReadRequest } from '../../../operations/access/reader.ts';
import { search } from '../../../operations/retrieval/search.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { openTestDatabase, type OpenDatabase } from '../../support/database.ts';
import { createAccountScene, type AccountScene } from './account.ts';

const queries: string[] = [];
const counting: Interceptor = {
  name: 'counting',
  beforeQueryExecution: (_context, query) => {
    queries.push(query.sql);
    return null;
  },
};

let database: OpenDatabase;
let account: AccountScene;
let reader: Caller;

beforeAll(async () => {
  database = await openTestDatabase({ interceptors: [counting] });
  const noIndexer = () => ({}) as Indexer;
  account = await createAccountScene(database.rows, database.pool, noIndexer);
  for (const path of ['/a/b', '/far/deep', '/far/other', '/x', '/y']) await account.scope(path);
  reader = await account.caller({ peer: 'anna' });
});
afterAll(() => database.close());

beforeEach(async () => {
  await database.rows('delete from retrieval_profiles');
  await database.rows('delete from scope_links');
});

const path = (text: string) => parseScopePath(text) ?? ROOT_PATH;
const grant = (scope: string, rest: Partial<Grant> = {}): Grant => ({
  scopePath: path(scope),
  role: 'reader',
  effect: 'allow',
  propagate: true,
  ...rest,
});

const contextOf = (caller: Caller, members: object = {}) =>
  ({
    caller,
    inAccount: createRefusingInAccount(database.pool),
    now: new Date(),
    signal: new AbortController().signal,
    traceId: 'ab'.repeat(16),
    settings: { minimalRecall: true },
    ...members,
  }) as unknown as RequestContext<Caller>;

const read = (caller: Caller, request: Partial<ReadRequest> & { readonly at?: string }) =>
  authoriseRead(contextOf(caller), {
    scopePath: path(request.at ?? '/a/b'),
    peerKey: null,
    ...request,
  });

async function link(one: string, other: string): Promise<void> {
  await database.rows(
    `insert into scope_links (account_id, low_scope_id, high_scope_id)
     values ($1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid))`,
    [account.id, await account.scope(one), await account.scope(other)],
  );
}

async function set(at: string | null, deadlineMs: number, profile = 'balanced'): Promise<void> {
  await database.rows(
    `insert into retrieval_profiles (account_id, id, profile, scope_id, deadline_ms)
     values ($1, gen_random_uuid(), $2, $3, $4)`,
    [account.id, profile, at === null ? null : await account.scope(at), deadlineMs],
  );
}

describe('the scopes of a read', () => {
  const pathsOf = async (scopeIds: readonly string[]) => {
    const rows = await database.rows('select id, path from scopes where account_id = $1', [
      account.id,
    ]);
    const byId = new Map(rows.map((row) => [row['id'], row['path']]));
    return scopeIds.map((id) => byId.get(id));
  };
  const reached = async (caller: Caller, request: Parameters<typeof read>[1] = {}) =>
    pathsOf((await read(caller, { crossLinks: true, ...request })).scopeIds);

  test('are the chain alone unless links are asked for', async () => {
    await link('/a/b', '/x');
    expect(await reached(reader, { crossLinks: false })).toEqual(['/', '/a', '/a/b']);
  });

  test('are the chain and then what is linked to it, from either end, one step far', async () => {
    await link('/a/b', '/far/deep');
    await link('/x', '/a');
    await link('/x', '/y');
    expect(await reached(reader)).toEqual(['/', '/a', '/a/b', '/far/deep', '/x']);
    expect(await reached(reader, { at: '/y' })).toEqual(['/', '/y', '/x']);
    const { chainScopeIds } = await read(reader, { crossLinks: true });
    expect(await pathsOf(chainScopeIds)).toEqual(['/', '/a', '/a/b']);
  });

  test('hold the links of ancestors of a path that does not exist', async () => {
    await link('/a', '/x');
    expect(await reached(reader, { at: '/a/nowhere' })).toEqual(['/', '/a', '/x']);
  });

  test('leave out a linked scope that the caller may not read, and links of one that it may not read', async () => {
    await link('/a/b', '/x');
    await link('/a/b', '/y');
    await link('/a', '/far/deep');
    const grants = [
      grant('/'),
      grant('/x', { effect: 'deny' }),
      grant('/a', { effect: 'deny', propagate: false }),
    ];
    expect(await reached({ ...reader, grants })).toEqual(['/', '/a/b', '/y']);
  });

  test('stay within the pin, and are none where the pin forbids the path', async () => {
    await link('/a/b', '/a');
    await link('/far/deep', '/far/other');
    await link('/far/deep', '/x');
    const pinned = { ...reader, pinPath: path('/far') };
    expect(await reached(pinned, { at: '/far/deep' })).toEqual([
      '/',
      '/far',
      '/far/deep',
      '/far/other',
    ]);
    expect(await reached(pinned, { at: '/a/b' })).toEqual([]);
  });

  test('are read as the named peer only where the person may name one, linked or not', async () => {
    await link('/a/b', '/x');
    await link('/a/b', '/y');
    await account.peer('alice');
    const person: Caller = {
      ...reader,
      kind: 'human',
      grants: [grant('/'), grant('/a/b', { role: 'curator' }), grant('/y', { role: 'curator' })],
    };
    const { reader: as, scopeIds } = await read(person, { crossLinks: true, peerKey: 'alice' });
    expect(await pathsOf(scopeIds)).toEqual(['/', '/a', '/a/b', '/x', '/y']);
    expect(as.posture).toBe('named');
    expect(await pathsOf(as.posture === 'named' ? as.scopeIds : [])).toEqual(['/a/b', '/y']);
  });
});

describe('a read of several paths', () => {
  const SOME = ['/a/b', '/a/nowhere', '/far/deep', '/x', '/a'].map(path);
  const [first = ROOT_PATH, ...others] = SOME;
  const together = { scopePath: first, otherPaths: others };

  const CALLERS: Readonly<Record<string, Partial<Caller>>> = {
    'of everything': {},
    'of a part': { grants: [grant('/a'), grant('/far', { propagate: false })] },
    'with denies': {
      grants: [
        grant('/'),
        grant('/a/b', { effect: 'deny' }),
        grant('/far', { effect: 'deny', propagate: false }),
      ],
    },
    'with a pin': { pinPath: path('/far') },
    'of nothing': { grants: [] },
  };

  test.each(Object.keys(CALLERS))(
    'reaches what reads of each alone reach, for a caller %s',
    async (which) => {
      for (const [one, other] of [
        ['/a/b', '/y'],
        ['/a', '/far/other'],
        ['/x', '/a/b'],
        ['/far/deep', '/far/other'],
      ] as const) {
        await link(one, other);
      }
      const caller = { ...reader, ...CALLERS[which] };
      for (const crossLinks of [false, true]) {
        const alone = await Promise.all(
          SOME.map((scopePath) => read(caller, { scopePath, crossLinks })),
        );
        const all = await read(caller, { ...together, crossLinks });
        const union = new Set(alone.flatMap(({ scopeIds }) => scopeIds));
        expect(new Set(all.scopeIds)).toEqual(union);
        expect(all.scopeIds).toHaveLength(union.size);
        const chains = new Set(alone.flatMap(({ chainScopeIds }) => chainScopeIds));
        expect(new Set(all.chainScopeIds)).toEqual(chains);
      }
    },
  );

  test('has the values of the profile of its first path, whatever is set at the others', async () => {
    await set('/x', 500);
    await set('/a', 300);
    const deadlineOf = async (...paths: readonly string[]): Promise<unknown> => {
      const [scopePath = ROOT_PATH, ...otherPaths] = paths.map(path);
      const { profileOverride } = await read(reader, {
        scopePath,
        otherPaths,
        profile: 'balanced',
      });
      return profileOverride?.deadlineMs ?? null;
    };
    expect(await deadlineOf('/a/b', '/x')).toBe(300);
    expect(await deadlineOf('/x', '/a/b')).toBe(500);
    expect(await deadlineOf('/y', '/x', '/a/b')).toBeNull();
  });

  test('names a reader only where the person may name one at every path, and records it at each', async () => {
    const alice = await account.peer('alice');
    const person: Caller = {
      ...reader,
      kind: 'human',
      grants: [grant('/'), grant('/a/b', { role: 'curator' }), grant('/x', { role: 'curator' })],
    };
    const naming = (...paths: readonly string[]) => {
      const [scopePath = ROOT_PATH, ...otherPaths] = paths.map(path);
      return read(person, { scopePath, otherPaths, peerKey: 'alice' });
    };
    for (const paths of [
      ['/a/b', '/y'],
      ['/y', '/a/b'],
      ['/a/b', '/nowhere'],
    ]) {
      await expect(naming(...paths)).rejects.toMatchObject({ code: 'forbidden' });
    }
    const { reader: as } = await naming('/a/b', '/x', '/a/b/nowhere');
    const nameable = [await account.scope('/a/b'), await account.scope('/x')];
    expect(as).toMatchObject({ posture: 'named', scopeIds: nameable.toReversed() });
    const recorded = await database.rows(
      `select metadata ->> 'scope_id' as id from audit_events
       where action = 'reader.named' and resource_id = $1 and actor_peer_id = $2
       order by occurred_at desc, id desc limit 2`,
      [alice, person.peerId],
    );
    expect(recorded.map(({ id }) => id).toSorted()).toEqual(nameable.toSorted());
  });
});

describe('the override of a profile', () => {
  const deadlineAt = async (at: string, caller = reader): Promise<number | null> =>
    (await read(caller, { at, profile: 'balanced' })).profileOverride?.deadlineMs ?? null;

  test('is that of the nearest scope of the chain, then that of the account', async () => {
    expect(await deadlineAt('/a/b')).toBeNull();
    await set(null, 100);
    expect(await deadlineAt('/a/b')).toBe(100);
    await set('/', 200);
    expect(await deadlineAt('/a/b')).toBe(200);
    await set('/a', 300);
    expect(await deadlineAt('/a/b')).toBe(300);
    await set('/a/b', 400);
    await set('/x', 500);
    await set('/a/b', 600, 'fast');
    expect(await deadlineAt('/a/b')).toBe(400);
    expect(await deadlineAt('/a')).toBe(300);
    expect(await deadlineAt('/y')).toBe(200);
  });

  test('of an ancestor holds at a path that does not exist', async () => {
    await set('/a', 300);
    expect(await deadlineAt('/a/nowhere/deep')).toBe(300);
  });

  test('of a scope that the caller may not read is passed over, like that of one that is missing', async () => {
    await set('/', 200);
    await set('/a/b', 400);
    const grants = [grant('/'), grant('/a/b', { effect: 'deny' })];
    expect(await deadlineAt('/a/b', { ...reader, grants })).toBe(200);
    expect(await deadlineAt('/a/c', { ...reader, grants })).toBe(200);
  });

  test('of the account holds for every path, forbidden ones included', async () => {
    await set(null, 100);
    await set('/', 200);
    const pinned = { ...reader, pinPath: path('/x') };
    expect(await deadlineAt('/a/b', pinned)).toBe(100);
    expect(await deadlineAt('/nowhere', pinned)).toBe(100);
  });

  test('of a linked scope does not hold', async () => {
    await link('/a/b', '/x');
    await set('/x', 500);
    const { profileOverride } = await read(reader, { crossLinks: true, profile: 'balanced' });
    expect(profileOverride).toBeNull();
  });

  test('brings every value, and passes over strategies that this build does not know', async () => {
    await database.rows(
      `insert into retrieval_profiles (account_id, id, profile, strategies, deadline_ms, rrf_k, rerank)
       values ($1, gen_random_uuid(), 'fast', '{"lexical": 0.5, "telepathy": 2}', 50, 60, true)`,
      [account.id],
    );
    const { profileOverride } = await read(reader, { profile: 'fast' });
    expect(profileOverride).toEqual({
      strategies: { lexical: 0.5 },
      deadlineMs: 50,
      rrfK: 60,
      rerank: true,
    } satisfies ProfileOverride);
  });

  test('reaches the search and its answer, for every profile but minimal', async () => {
    const asked: SearchAccess[] = [];
    const answered = {
      candidates: [],
      outcomes: [],
      emptyStrategies: [],
      disagreement: {
        strategyCount: 0,
        disjoint: false,
        lowScore: true,
        queryDependentEmpty: true,
      },
      latencyMs: 1,
      preRerankRemainingMs: null,
      reservedRerankMs: 0,
    };
    const context = contextOf(reader, {
      search: async (request: OpenSearchRequest) => {
        const inAccount = createRefusingInAccount(database.pool);
        asked.push(await inAccount(request.accountId, request.authorise));
        return answered;
      },
    });
    const profileOf = async (profile: string): Promise<readonly [RetrievalProfile, unknown]> => {
      const answer = await execute(search, context, { scope_path: '/a/b', profile });
      const request = asked.at(-1);
      if (request === undefined) throw new Error('nothing was searched');
      return [request.profile, answer.profile_override];
    };
    expect(await profileOf('balanced')).toEqual([RETRIEVAL_PROFILES.balanced, null]);
    await set('/a', 4_321);
    expect(await profileOf('balanced')).toEqual([
      { ...RETRIEVAL_PROFILES.balanced, deadlineMs: 4_321 },
      expect.stringMatching(/^[0-9a-f]{10}$/),
    ]);
    expect(await profileOf('thorough')).toEqual([RETRIEVAL_PROFILES.thorough, null]);
    expect(await profileOf('minimal')).toEqual([RETRIEVAL_PROFILES.minimal, null]);
  });
});

describe('the round trips of a read', () => {
  const asked = async (request: Parameters<typeof read>[1]): Promise<number> => {
    queries.length = 0;
    await read(reader, request);
    return queries.length;
  };

  test('are as many for 16 paths as for one', async () => {
    await link('/a', '/x');
    const otherPaths = Array.from({ length: 15 }, (_, n) => path(`/far/deep/${n}`));
    for (const request of [{}, { crossLinks: true }, { profile: 'balanced' }] as const) {
      expect(await asked({ ...request, otherPaths })).toBe(await asked(request));
    }
  });

  test('are as many with a profile as without, and one more with links', async () => {
    await set('/a', 300);
    const plain = await asked({});
    expect(await asked({ profile: 'balanced' })).toBe(plain);
    expect(await asked({ profile: 'minimal' })).toBe(plain);
    expect(await asked({ profile: 'balanced', crossLinks: false })).toBe(plain);
    expect(await asked({ profile: 'balanced', crossLinks: true })).toBe(plain + 1);
    expect(queries.filter((text) => text.includes('scope_links'))).toHaveLength(1);
  });
});
