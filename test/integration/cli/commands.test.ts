/** The command line on a real database: what it prints, what it answers, what it refuses. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { runCli } from '../../../cli/program.ts';
import { Refusal } from '../../../domain/errors.ts';
import { createScene, onlyThese, PASSWORD, type Scene } from '../identity/scene.ts';
import { readPromiseFiles } from '../../../stores/promises/read-file.ts';

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

let scene: Scene;
let folder: string;
let opened = 0;

beforeAll(async () => {
  scene = await createScene();
  folder = await mkdtemp(join(tmpdir(), 'cli-'));
});
afterAll(async () => {
  await scene.close();
  await rm(folder, { recursive: true });
});

async function* nothing(): AsyncGenerator<string> {}

async function vouch(args: readonly string[], stdin = ''): Promise<Outcome> {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    stdin: (async function* read() {
      yield stdin;
    })(),
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
    now: () => new Date(scene.clock),
    signal: new AbortController().signal,
    promiseLines: readPromiseFiles,
    receiptKeyPem: () => Promise.resolve(''),
    open: async () => {
      opened += 1;
      return {
        environment: onlyThese(scene.environment),
        close: async () => {
          opened -= 1;
        },
      };
    },
  });
  return { code, out, err };
}

/** The one JSON value a command with --json prints, and nothing beside it. */
async function json(args: readonly string[], stdin?: string): Promise<Record<string, unknown>> {
  const outcome = await vouch([...args, '--json'], stdin);
  expect(outcome).toMatchObject({ code: 0, err: '' });
  return JSON.parse(outcome.out);
}

const LOGIN = ['--email', 'admin@example.org', '--password-stdin'];

test('commands before bootstrap fail and ask for bootstrap first', async () => {
  const outcome = await vouch(['key', 'list']);
  expect(outcome).toMatchObject({ code: 1, out: '' });
  expect(outcome.err).toMatch(/^vouch: .*run `vouch bootstrap` first.*\n$/);
});

test('bootstrap prints a valid token, and reports nothing to do the second time', async () => {
  const first = await json(['bootstrap', ...LOGIN], `${PASSWORD}\n`);
  expect(first).toMatchObject({ changed: true, account_key: 'community' });
  expect(await scene.environment.authenticate(String(first['token']))).not.toBeNull();
  expect(await json(['bootstrap', ...LOGIN], PASSWORD)).toMatchObject({ changed: false });
  expect(await vouch(['bootstrap', ...LOGIN], PASSWORD)).toEqual({
    code: 0,
    out: 'Nothing to do: this deployment is already bootstrapped.\n',
    err: '',
  });
});

describe('keys', () => {
  const create = ['key', 'create', '--peer', 'scout', '--scope', '/team', '--role', 'member'];

  test('are created with the requested peer, role, pin and expiry, and authenticate', async () => {
    const key = await json([...create, '--pin', 'team/east', '--expires-in', '90d']);
    expect(key).toMatchObject({
      peer_key: 'scout',
      scope_path: '/team',
      role: 'member',
      expires_at: new Date(scene.clock + 90 * 86_400_000).toISOString(),
    });
    expect(await scene.environment.authenticate(String(key['api_key']))).toMatchObject({
      peerKey: 'scout',
      pinPath: '/team/east',
    });
  });

  test('may be created without a peer', async () => {
    const key = await json(['key', 'create', '--no-peer', '--scope', '/', '--role', 'reader']);
    expect(key).toMatchObject({ peer_key: null });
  });

  test('are revoked by id, once', async () => {
    const key = await json(create);
    const revoke = ['key', 'revoke', '--id', String(key['id'])];
    expect(await vouch(revoke)).toEqual({ code: 0, out: 'Revoked.\n', err: '' });
    expect((await vouch(revoke)).out).toMatch(/^Nothing to do/);
    const unknown = await vouch(['key', 'revoke', '--id', '0198c8c8-0000-7000-8000-000000000000']);
    expect(unknown).toEqual({ code: 1, out: '', err: 'vouch: Not found.\n' });
  });

  test('are listed with their ids and never their text', async () => {
    const listed = await vouch(['key', 'list']);
    expect(listed.out).toMatch(/^id +peer +pin/);
    expect(listed.out).not.toContain('vch_');
  });
});

test('users, grants and presets are created, listed and removed', async () => {
  const user = ['--email', 'ana@example.org', '--name', 'Ana', '--role', 'curator', '--scope', '/'];
  const file = join(folder, 'password');
  await writeFile(file, `${PASSWORD}\n`);
  expect(await json(['user', 'create', ...user, '--password-file', file])).toMatchObject({
    peer_key: 'ana@example.org',
  });
  expect((await vouch(['user', 'list'])).out).toContain('ana@example.org');

  const grant = ['--peer', 'ana@example.org', '--scope', '/x', '--role', 'reader'];
  const denied = await json(['grant', 'add', ...grant, '--effect', 'deny', '--no-propagate']);
  expect(denied).toMatchObject({ effect: 'deny', propagate: false, changed: true });
  expect((await vouch(['grant', 'list'])).out).toContain(String(denied['id']));
  expect((await vouch(['grant', 'remove', '--id', String(denied['id'])])).code).toBe(0);

  expect((await vouch(['governance', 'preset', 'assisted'])).out).toMatch(
    /is now assisted.*Run [0-9a-f-]{36} /,
  );
  expect((await vouch(['governance', 'preset', 'assisted'])).out).toMatch(/^Nothing to do/);
  expect((await vouch(['governance', 'secrets', 'refuse'])).out).toBe(
    'The policy is now refuse. It was keep.\n',
  );
  expect((await vouch(['governance', 'secrets', 'refuse'])).out).toMatch(/^Nothing to do/);
  expect((await vouch(['governance', 'rules'])).out.split('\n')).toHaveLength(1 + 1 + 12 + 1);
});

test('where several accounts exist, a command names its own', async () => {
  const account = ['--key', 'lab', '--email', 'lab@example.org', '--name', 'Lab'];
  await json(['account', 'create', ...account, '--password-stdin'], PASSWORD);
  expect((await vouch(['account', 'list'])).out).toMatch(/community[^]*lab/);
  const unnamed = await vouch(['grant', 'list']);
  expect(unnamed.code).toBe(1);
  expect(unnamed.err).toMatch(/account: several accounts exist/);
  const unknown = await vouch(['grant', 'list', '--account', 'nowhere']);
  expect(unknown.code).toBe(1);
  expect(unknown.err).toMatch(/account: does not name an existing account/);
  expect((await vouch(['grant', 'list', '--account', 'lab'])).out).toContain('lab@example.org');
  expect((await vouch(['grant', 'list', '--account', 'lab'])).out).not.toContain('ana@');
});

describe('the command line', () => {
  test.each([
    'bootstrap',
    'account create',
    'account list',
    'account export',
    'account import',
    'user create',
    'user list',
    'user password',
    'user disable',
    'user enable',
    'user remove',
    'peer list',
    'key create',
    'key rotate',
    'key list',
    'key revoke',
    'grant add',
    'grant change',
    'grant remove',
    'grant list',
    'governance preset',
    'governance rules',
    'governance rules set',
    'governance rules remove',
    'governance secrets',
    'scope link',
    'scope unlink',
    'scope links',
    'circle create',
    'circle add',
    'circle remove',
    'circle list',
    'circle show',
    'circle delete',
    'skill publish',
    'skill list',
    'skill show',
    'skill retire',
    'retrieval profile set',
    'retrieval profile list',
    'retrieval profile remove',
    'index rebuild',
    'index verify',
    'explain message',
    'explain statement',
    'costs',
    'status',
  ])('explains %s', async (command) => {
    const outcome = await vouch([...command.split(' '), '--help']);
    expect(outcome).toMatchObject({ code: 0, err: '' });
    expect(outcome.out).toMatch(/^Usage: vouch .*\[options\][^]*--json/);
  });

  test.each([
    [['nonsense']],
    [[]],
    [['key']],
    [['key', 'create', '--scope', '/', '--role', 'member']],
    [['key', 'create', '--peer', 'a', '--scope', '/']],
    [['key', 'create', '--peer', 'a', '--scope', '/', '--role', 'owner']],
    [['key', 'create', '--peer', 'a', '--scope', '/', '--role', 'member', '--expires-in', 'soon']],
    [['key', 'list', '--unknown']],
    [['key', 'list', 'extra']],
    [['governance', 'preset']],
    [['governance', 'preset', 'lenient']],
    [['governance', 'rules', 'change']],
    [['governance', 'rules', 'set', 'peer']],
    [['governance', 'rules', 'set', 'peer', 'public', '--gate-a', 'sometimes']],
    [['governance', 'secrets', 'mask']],
    [['explain']],
    [['explain', 'message']],
    [['scope', 'link', '--from', '/']],
    [['circle', 'create', '--name', 'desk']],
    [['circle', 'add', '--scope', '/', '--name', 'desk']],
    [['circle', 'delete', '--scope', '/']],
    [['skill', 'publish']],
    [['skill', 'publish', '--file', '/nowhere/card.json']],
    [['skill', 'show']],
    [['skill', 'retire']],
    [['retrieval', 'profile', 'set', '--deadline-ms', '500']],
    [['retrieval', 'profile', 'set', '--profile', 'minimal', '--deadline-ms', '500']],
    [['retrieval', 'profile', 'set', '--profile', 'fast', '--deadline-ms', 'soon']],
    [['retrieval', 'profile', 'set', '--profile', 'fast', '--strategies', 'semantic']],
    [['retrieval', 'profile', 'set', '--profile', 'fast', '--strategies', 'semantic=1,semantic=2']],
    [['retrieval', 'profile', 'set', '--profile', 'fast', '--strategies', 'semantic=1=2']],
    [['bootstrap', '--email', 'a@b.c']],
    [['bootstrap', '--email', 'a@b.c', '--password', PASSWORD]],
    [['bootstrap', '--email', 'a@b.c', '--password-file', '/nowhere/at/all']],
    [['bootstrap', '--email', 'a@b.c', '--password-stdin']],
  ])('answers 2 and prints no result when it is called as %j', async (args) => {
    const outcome = await vouch(args);
    expect(outcome).toMatchObject({ code: 2, out: '' });
    expect(outcome.err).not.toBe('');
  });

  test('answers 1 with one line when an operation refuses, --json or not', async () => {
    const args = ['grant', 'add', '--account', 'lab', '--peer', 'nobody'];
    for (const form of [[], ['--json']]) {
      const outcome = await vouch([...args, '--scope', '/', '--role', 'reader', ...form]);
      expect(outcome).toEqual({
        code: 1,
        out: '',
        err: `vouch: ${new Refusal('unknown_peer').message}\n`,
      });
    }
  });

  test('shows only the name and code of an unexpected failure', async () => {
    let err = '';
    const code = await runCli(['key', 'list'], {
      stdin: nothing(),
      out: () => undefined,
      err: (text) => {
        err += text;
      },
      now: () => new Date(),
      signal: new AbortController().signal,
      promiseLines: readPromiseFiles,
      receiptKeyPem: () => Promise.resolve(''),
      open: () => Promise.reject(Object.assign(new TypeError('secret words'), { code: 'ERR_ODD' })),
    });
    expect([code, err]).toEqual([
      1,
      'vouch: The service failed unexpectedly (TypeError, ERR_ODD).\n',
    ]);
  });

  test('closes every environment that it opened', () => {
    expect(opened).toBe(0);
  });
});
