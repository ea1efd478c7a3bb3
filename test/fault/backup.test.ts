/**
 * Backup and restore of the one-command start, as an operator runs them: under load, killed at every line of their
 * progress, and with an erasure that was half done.
 */
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newInstallation, type Installation } from '../support/installation.ts';
import { eventually, SERVERS_MS } from '../support/patience.ts';
import { sized } from '../support/run.ts';

/** An erasure waits so long between its two looks: it is under way while the backup is taken. */
const SETTINGS = { SERVICE_ERASURE_SETTLE_SECONDS: '5' };
const DOCUMENT = '# Opening hours\n\nThe bakery in Tartu opens at seven.\n';
const BEFORE = 30;

let source: Installation;
let target: Installation;
let backup: string;
/** Messages that were answered before the backup began. */
const accepted: string[] = [];
let versionId: string;
let erasureId: string;
/** What was promised after the backup: a key that was revoked, a person who was erased. */
const since = { keyId: '', erasureId: '' };

const dataOf = (body: unknown): Record<string, unknown> => Object(Object(body).data);

async function say(installation: Installation, text: string): Promise<string> {
  const answer = await installation.ask('POST', '/api/v1/ingest', {
    session_id: 'load',
    scope_path: '/load',
    peer_key: 'nora',
    content: text,
  });
  expect(answer.status).toBe(202);
  return String(dataOf(answer.body)['message_id']);
}

/** Sends observations until it is told to stop. */
function load(installation: Installation): () => Promise<void> {
  const stopping = new AbortController();
  const sending = (async () => {
    for (let sent = 0; !stopping.signal.aborted; sent += 1) {
      await say(installation, `Nora has ${sent} hives.`);
    }
  })();
  return () => {
    stopping.abort();
    return sending;
  };
}

async function prepareSource(): Promise<void> {
  await source.start();
  for (let sent = 0; sent < BEFORE; sent += 1) {
    accepted.push(await say(source, `Nora planted ${sent} plum trees in Tartu.`));
  }
  const document = await source.ask('POST', '/api/v1/documents', {
    scope_path: '/load',
    media_type: 'text/markdown',
    title: 'Hours',
    content_base64: Buffer.from(DOCUMENT).toString('base64'),
  });
  expect(document.status).toBe(202);
  versionId = String(dataOf(document.body)['document_version_id']);
  await source.ask('POST', '/api/v1/ingest', {
    session_id: 'olaf',
    scope_path: '/load',
    peer_key: 'olaf',
    content: 'Olaf lives in Narva.',
  });
  await source.json(['key', 'create', '--peer', 'olaf', '--scope', '/load', '--role', 'member']);
  const late = await source.json([
    'key',
    'create',
    '--peer',
    'petra',
    '--scope',
    '/load',
    '--role',
    'member',
  ]);
  since.keyId = String(late['id']);
  await source.json(['key', 'create', '--peer', 'quentin', '--scope', '/load', '--role', 'member']);
}

beforeAll(async () => {
  [source, target] = [await newInstallation(SETTINGS), await newInstallation(SETTINGS)];
  backup = join(source.root, 'backup');
  await prepareSource();
}, SERVERS_MS);

afterAll(async () => {
  await source?.remove();
  await target?.remove();
}, SERVERS_MS);

describe('a backup', () => {
  test(
    'is taken while the service takes requests, and readable by its owner alone',
    async () => {
      const erasure = await source.json(['peer', 'erase', '--peer', 'olaf', '--mode', 'strict']);
      erasureId = String(erasure['id']);
      const stop = load(source);
      const made = await source.json(['backup', '--output', backup]);
      await stop();
      expect(made).toMatchObject({ schema: 'vouch-backup-1', includes_blobs: true });
      expect(readdirSync(backup).toSorted()).toEqual([
        'backup.json',
        'blobs',
        'files.jsonl',
        'installation',
        'postgres',
        'promises.jsonl',
      ]);
      for (const name of readdirSync(backup, { recursive: true, encoding: 'utf8' })) {
        expect(statSync(join(backup, name)).mode & 0o077).toBe(0);
      }
    },
    SERVERS_MS,
  );

  test(
    'knows nothing of what is promised after it',
    async () => {
      await source.json(['key', 'revoke', '--id', since.keyId]);
      const erasure = await source.json(['peer', 'erase', '--peer', 'quentin', '--mode', 'strict']);
      since.erasureId = String(erasure['id']);
      await eventually(async () => {
        const { state } = await source.json(['erasure', 'status', '--id', since.erasureId]);
        return state === 'completed';
      });
    },
    SERVERS_MS,
  );

  test(
    'is never written into a directory that holds something',
    async () => {
      const again = await source.vouch(['backup', '--output', backup]);
      expect(again).toMatchObject({ code: 1, out: '' });
      expect(again.err).toContain(`${backup} is not empty.`);
    },
    SERVERS_MS,
  );

  test(
    'that is killed at any line of its progress leaves nothing that looks like one, or a whole one',
    async () => {
      for (const line of sized({ short: [1, 2], long: [1, 2, 3, 4] })) {
        const output = join(source.root, `killed-${line}`);
        await source.killed(['backup', '--output', output], line);
        const refused = await target.vouch(['restore', '--input', `${output}.partial`]);
        expect(refused.code).toBe(1);
        // A kill after the last step comes too late: the backup is there, and whole.
        if (existsSync(output)) {
          expect(existsSync(`${output}.partial`)).toBe(false);
          expect(await source.json(['backup', '--verify', output])).toMatchObject({ faults: [] });
          continue;
        }
        await source.json(['backup', '--output', output]);
        expect(existsSync(`${output}.partial`)).toBe(false);
      }
    },
    SERVERS_MS,
  );

  test(
    'is taken as well while the service stands still',
    async () => {
      await source.stop();
      const made = await source.json(['backup', '--output', join(source.root, 'still')]);
      expect(made).toMatchObject({ counts: { accounts: 1, blobs: 1 } });
    },
    SERVERS_MS,
  );
});

describe('a restore', () => {
  test(
    'refuses a backup with a changed byte by the name of the file, before it puts anything anywhere',
    async () => {
      const file = join(source.root, 'still', 'installation', 'state.json');
      const text = readFileSync(file, 'utf8');
      chmodSync(file, 0o600);
      writeFileSync(file, text.replace('"version": 1', '"version": 2'));
      const refused = await target.vouch(['restore', '--input', join(source.root, 'still')]);
      expect(refused).toMatchObject({ code: 1, out: '' });
      expect(refused.err).toContain(`${file} was changed after the backup was made.`);
      expect(existsSync(join(target.root, '.vouch'))).toBe(false);
    },
    SERVERS_MS,
  );

  test(
    'refuses a directory that has an installation',
    async () => {
      const refused = await source.vouch(['restore', '--input', backup]);
      expect(refused.err).toContain('holds an installation. Move it away');
    },
    SERVERS_MS,
  );

  test(
    'that is killed at any line of its progress lets nothing else start, and is begun again',
    async () => {
      for (const line of sized({ short: [4, 9], long: [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] })) {
        if (!(await target.killed(['restore', '--input', backup], line))) continue;
        if (!existsSync(join(target.root, '.vouch', 'restore.json'))) continue;
        await expect(target.start()).rejects.toThrow(
          'has not ended. Wait for it, or begin it again',
        );
        const asked = await target.vouch(['key', 'list']);
        expect(asked).toMatchObject({ code: 1, out: '' });
      }
    },
    SERVERS_MS,
  );

  test(
    'closes what it restored: sign-ins end, keys wait, and the summary says so',
    async () => {
      const list = join(source.root, '.vouch/promises.jsonl');
      const restored = await target.json(['restore', '--input', backup, '--list', list]);
      expect(restored).toMatchObject({
        finished: {
          keys_suspended: 1,
          promises: { kinds: { key_revoked: { done: 1 }, erasure: { unknown: 0 } } },
          indexes: { failed: 0 },
          documents: { named: 1, missing: 0 },
          audit: { broken_accounts: 0 },
        },
      });
      expect(existsSync(join(target.root, '.vouch', 'restore.json'))).toBe(false);
      await target.start();
      const { admin } = target.credentials();
      const query = { query: 'Who has plum trees?', scope_path: '/load' };
      expect((await target.ask('POST', '/api/v1/search', query)).status).toBe(401);
      expect(
        (await target.ask('GET', '/api/v1/knowledge?scope_path=/load', undefined, admin.token))
          .status,
      ).toBe(401);
    },
    SERVERS_MS,
  );

  test(
    'gives keys back that an operator resumes, once',
    async () => {
      const { keys } = await target.json(['key', 'list']);
      const [waiting] = [keys]
        .flat()
        .filter((key) => Object(key).suspended_at !== null && Object(key).revoked_at === null);
      const id = String(Object(waiting).id);
      expect((await target.vouch(['key', 'rotate', '--id', id])).err).toContain('suspended');
      expect(await target.json(['key', 'resume', '--id', id])).toMatchObject({ resumed: 1 });
      expect(await target.json(['key', 'resume', '--all'])).toMatchObject({ resumed: 0 });
      const query = { query: 'Who has plum trees?', scope_path: '/load' };
      await eventually(
        async () => (await target.ask('POST', '/api/v1/search', query)).status === 200,
      );
    },
    SERVERS_MS,
  );

  test(
    'misses nothing that was accepted before the backup',
    async () => {
      for (const id of accepted) {
        const answer = await target.ask('GET', `/api/v1/ingest/${id}?wait_ms=10000`);
        expect(answer.status).toBe(200);
      }
      const document = await target.ask('GET', `/api/v1/documents/${versionId}?wait_ms=10000`);
      expect(document.status).toBe(200);
      const blobs = readdirSync(join(target.root, '.vouch/blobs'), {
        recursive: true,
        encoding: 'utf8',
      });
      expect(blobs.filter((name) => /[0-9a-f]{64}$/.test(name))).toHaveLength(1);
    },
    SERVERS_MS,
  );

  test(
    'ends the erasure that was half done',
    async () => {
      await eventually(async () => {
        const erasure = await target.json(['erasure', 'status', '--id', erasureId]);
        return erasure['state'] === 'completed';
      });
    },
    SERVERS_MS,
  );

  test(
    'holds what was promised since: the key opens nothing, and the person is erased again',
    async () => {
      const { keys } = await target.json(['key', 'list']);
      const revoked = [keys].flat().find((key) => Object(key).id === since.keyId);
      expect(Object(revoked).revoked_at).not.toBeNull();
      await eventually(async () => {
        const { state } = await target.json(['erasure', 'status', '--id', since.erasureId]);
        return state === 'completed';
      });
    },
    SERVERS_MS,
  );

  test(
    'leaves indexes and an audit chain that verify',
    async () => {
      await eventually(async () => (await target.vouch(['index', 'verify'])).code === 0);
      expect(await target.json(['audit', 'verify'])).toMatchObject({ intact: true });
    },
    SERVERS_MS,
  );
});

test(
  'the drill restores a backup beside the installation, says what it holds, and leaves nothing',
  async () => {
    const report = await target.json(['backup', '--verify', backup]);
    expect(report).toMatchObject({
      faults: [],
      finished: { audit: { broken_accounts: 0 }, documents: { missing: 0 } },
      checked: { drifting_accounts: 0, receipts: { invalid: 0 } },
    });
    expect(await target.ask('GET', '/api/health')).toMatchObject({ status: 200 });
  },
  SERVERS_MS,
);
