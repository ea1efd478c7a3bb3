/** `vouch scope` and `vouch retrieval profile` on a real database: what they change, print, refuse and record. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseScopePath, ROOT_PATH } from '../../../domain/scopes/path.ts';
import { createScene, PASSWORD, type Scene } from '../identity/scene.ts';
import { commandLine } from './command-line.ts';

let scene: Scene;
let accountId: string;

const { json, refused, vouch } = commandLine(() => scene);

const ensureScope = (path: string) =>
  scene.environment.inAccount(accountId, (stores) =>
    stores.scopes.ensureChain(parseScopePath(path) ?? ROOT_PATH),
  );

const audited = (action: string) =>
  scene.rows(
    `select category, actor_kind, resource_type, resource_id, metadata from audit_events
     where account_id = $1 and action = $2 order by occurred_at, id`,
    [accountId, action],
  );

beforeAll(async () => {
  scene = await createScene();
  ({ accountId } = await scene.bootstrap());
  for (const path of ['/a/b', '/c', '/hub']) await ensureScope(path);
});
afterAll(() => scene.close());

describe('vouch scope', () => {
  const ends = (from: string, to: string) => ['--from', from, '--to', to];

  test('links two scopes once, in either direction, lists them and ends the link', async () => {
    expect(await vouch(['scope', 'links'])).toEqual({ code: 0, out: 'none\n', err: '' });
    expect(await json(['scope', 'link', ...ends('c', '/a/b/')])).toEqual({
      from_scope_path: '/c',
      to_scope_path: '/a/b',
      changed: true,
    });
    for (const again of [ends('/c', '/a/b'), ends('/a/b', '/c')]) {
      expect((await vouch(['scope', 'link', ...again])).out).toBe(
        'Nothing to do: these scopes are already linked.\n',
      );
    }
    expect(await json(['scope', 'links'])).toEqual({
      links: [{ from_scope_path: '/a/b', to_scope_path: '/c', created_at: expect.any(String) }],
    });
    expect((await vouch(['scope', 'links', '--scope', '/c'])).out).toMatch(/^from[^]*\/a\/b +\/c/);
    expect((await vouch(['scope', 'links', '--scope', '/a'])).out).toBe('none\n');
    expect((await vouch(['scope', 'unlink', ...ends('/a/b', '/c')])).out).toBe('Unlinked.\n');
    expect(await json(['scope', 'unlink', ...ends('/a/b', '/c')])).toMatchObject({
      changed: false,
    });
    expect((await vouch(['scope', 'links'])).out).toBe('none\n');
  });

  test('records each change, and nothing where nothing changed', async () => {
    const event = {
      category: 'configuration',
      actor_kind: 'cli',
      resource_type: 'scope',
      resource_id: await ensureScope('/c'),
      metadata: { to_scope_id: await ensureScope('/a/b') },
    };
    expect(await audited('scope.linked')).toEqual([event]);
    expect(await audited('scope.unlinked')).toEqual([
      {
        ...event,
        resource_id: event.metadata.to_scope_id,
        metadata: { to_scope_id: event.resource_id },
      },
    ]);
  });

  test('makes scopes that nothing was written to yet, in whichever order they are named', async () => {
    const made = await Promise.all([
      vouch(['scope', 'link', ...ends('/new/one', '/new/two')]),
      vouch(['scope', 'link', ...ends('/new/two', '/new/one')]),
    ]);
    expect(made.map(({ code }) => code)).toEqual([0, 0]);
    const links = await json(['scope', 'links', '--scope', '/new/two']);
    expect(links).toMatchObject({ links: [{}] });
    expect((await vouch(['scope', 'unlink', ...ends('/new/one', '/new/two')])).code).toBe(0);
  });

  test('refuses a scope with itself, the end of a link of no scope, and a text that is no path', async () => {
    expect(await refused(['scope', 'link', ...ends('/a', 'a/')])).toContain('to: must be another');
    expect(await refused(['scope', 'unlink', ...ends('/a', '/nowhere')])).toContain(
      'to: does not name a scope that exists',
    );
    expect(await refused(['scope', 'unlink', ...ends('/nowhere', '/a')])).toContain('from: ');
    expect(await refused(['scope', 'links', '--scope', '/nowhere'])).toContain('scope: ');
    expect(await refused(['scope', 'link', ...ends('/a/../b', '/a')])).toContain(
      'from: must be a scope path',
    );
    expect((await scene.rows('select from scopes where path = $1', ['/nowhere'])).length).toBe(0);
  });

  test('stops at 32 links of a scope, also when many are made at once', async () => {
    const paths = Array.from({ length: 34 }, (_, n) => `/spoke-${n}`);
    for (const path of paths) await ensureScope(path);
    const made = await Promise.all(
      paths.map((path, n) =>
        vouch(['scope', 'link', ...(n % 2 === 0 ? ends('/hub', path) : ends(path, '/hub'))]),
      ),
    );
    expect(made.filter(({ code }) => code === 0)).toHaveLength(32);
    const full = made.filter(({ code }) => code === 1);
    expect(full).toHaveLength(2);
    for (const { err } of full) expect(err).toMatch(/(from|to): has 32 links, which is the most/);
    const [one] = await scene.rows(
      'select count(*)::integer as links from scope_links l join scopes s on s.id in (l.low_scope_id, l.high_scope_id) where s.path = $1',
      ['/hub'],
    );
    expect(one).toEqual({ links: 32 });
    // One that is there already is no new one.
    const linked = String(
      JSON.parse((await vouch(['scope', 'links', '--scope', '/hub', '--json'])).out).links[0]
        .to_scope_path,
    );
    expect((await vouch(['scope', 'link', ...ends('/hub', linked)])).code).toBe(0);
  });
});

describe('vouch retrieval profile', () => {
  const profile = (verb: string, ...rest: string[]) => ['retrieval', 'profile', verb, ...rest];
  const set = (...rest: string[]) => profile('set', '--profile', 'balanced', ...rest);

  test('sets an override whole, shows it, and takes it away', async () => {
    expect((await vouch(profile('list'))).out).toBe('none\n');
    const first = await json(
      set('--scope', '/a', '--strategies', 'semantic=1, lexical=0.8', '--deadline-ms', '500'),
    );
    expect(first).toEqual({
      profile: 'balanced',
      scope_path: '/a',
      strategies: { semantic: 1, lexical: 0.8 },
      deadline_ms: 500,
      rrf_k: null,
      rerank: null,
      profile_override: expect.stringMatching(/^[0-9a-f]{10}$/),
      changed: true,
    });
    const same = set(
      '--scope',
      '/a',
      '--strategies',
      'lexical=0.8,semantic=1',
      '--deadline-ms=500',
    );
    expect((await vouch(same)).out).toBe(
      'Nothing to do: profile balanced of /a has these values.\n',
    );
    // What is not given is the profile's own again, and no rest of the override before.
    const second = await json(set('--scope', '/a', '--rrf-k', '60', '--no-rerank'));
    expect(second).toMatchObject({ strategies: null, deadline_ms: null, rrf_k: 60, rerank: false });
    expect(second['profile_override']).not.toBe(first['profile_override']);
    const account = await vouch(set('--rerank'));
    expect(account.out).toMatch(
      /^Profile balanced of the whole account is overridden: \w{10}\.\n$/,
    );
    expect(await json(profile('list'))).toEqual({
      overrides: [
        expect.objectContaining({ scope_path: null, rerank: true, set_at: expect.any(String) }),
        expect.objectContaining({ scope_path: '/a', rrf_k: 60 }),
      ],
    });
    expect((await vouch(profile('list'))).out).toMatch(
      /^profile +scope +override[^]*account[^]*\/a/,
    );
    const remove = profile('remove', '--profile', 'balanced', '--scope', '/a');
    expect((await vouch(remove)).out).toBe('Removed.\n');
    expect((await vouch(remove)).out).toBe(
      'Nothing to do: profile balanced of /a has no override.\n',
    );
    expect(await json(profile('remove', '--profile', 'balanced'))).toMatchObject({ changed: true });
    expect((await vouch(profile('list'))).out).toBe('none\n');
  });

  test('records each change by its digest, and nothing where nothing changed', async () => {
    const events = await audited('retrieval_profile.set');
    expect(events).toHaveLength(3);
    expect(events[0]).toEqual({
      category: 'configuration',
      actor_kind: 'cli',
      resource_type: 'retrieval_profile',
      resource_id: expect.any(String),
      metadata: {
        profile: 'balanced',
        scope_id: await ensureScope('/a'),
        profile_override: expect.stringMatching(/^[0-9a-f]{10}$/),
      },
    });
    expect(await audited('retrieval_profile.removed')).toHaveLength(2);
  });

  test.each([
    [['--strategies', 'telepathy=1'], 'strategies: may only name semantic'],
    [['--strategies', 'semantic=0'], 'strategies: must have weights from 0.01 to 10'],
    [['--strategies', 'semantic=11'], 'strategies: must have weights from 0.01 to 10'],
    [['--strategies', 'temporal=1'], 'strategies: must name lexical with temporal'],
    [['--deadline-ms', '19'], 'deadline_ms: must be a whole number from 20 to 10000'],
    [['--deadline-ms', '10001'], 'deadline_ms: must be a whole number'],
    [['--deadline-ms', '50.5'], 'deadline_ms: must be a whole number'],
    [['--rrf-k', '0'], 'rrf_k: must be a whole number from 1 to 1000'],
    [['--rrf-k', '1001'], 'rrf_k: must be a whole number'],
    [['--rerank', '--scope', '/nowhere'], 'scope: does not name a scope that exists'],
    [[], 'override: must set at least one of'],
  ])('refuses %j', async (args, reason) => {
    expect(await refused(set(...args))).toContain(reason);
    expect((await vouch(profile('list'))).out).toBe('none\n');
  });

  test('stops at 300 overrides of an account, and still changes those that are there', async () => {
    await scene.rows(
      `insert into scopes (account_id, id, path, parent_id)
       select r.account_id, gen_random_uuid(), '/many-' || n, r.id
       from scopes r, generate_series(1, 100) n where r.account_id = $1 and r.path = '/'`,
      [accountId],
    );
    await scene.rows(
      `insert into retrieval_profiles (account_id, id, profile, scope_id, rrf_k)
       select s.account_id, gen_random_uuid(), p, s.id, 20
       from scopes s, unnest(enum_range(null::overridable_profile)) p
       where s.account_id = $1 and s.path like '/many-%'`,
      [accountId],
    );
    expect(await refused(set('--rrf-k', '30'))).toContain('has 300 overrides, which is the most');
    expect(await json(set('--scope', '/many-1', '--rrf-k', '30'))).toMatchObject({ changed: true });
    expect((await vouch(profile('remove', '--profile', 'fast', '--scope', '/many-2'))).code).toBe(
      0,
    );
    expect(await json(set('--rrf-k', '30'))).toMatchObject({ changed: true });
  });
});

test('without --account a command works on the only account, and with several it asks for one', async () => {
  const lab = ['--key', 'lab', '--email', 'lab@example.org', '--name', 'Lab'];
  expect((await vouch(['account', 'create', ...lab, '--password-stdin'], PASSWORD)).code).toBe(0);
  expect(await refused(['scope', 'links'])).toContain('several accounts exist');
  expect((await vouch(['scope', 'links', '--account', 'lab'])).out).toBe('none\n');
  expect((await vouch(['retrieval', 'profile', 'list', '--account', 'lab'])).out).toBe('none\n');
});
