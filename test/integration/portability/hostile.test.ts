/** An archive from a stranger, or a damaged one, is refused by name, and nothing of it is written. */
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importAccount } from '../../../operations/portability/import.ts';
import { SERVERS_MS } from '../../support/patience.ts';
import {
  closeWithoutErrors,
  startOwnService,
  startService,
  type OwnService,
  type Service,
} from '../../support/service.ts';
import {
  membersOf,
  refitted,
  tarOf,
  withFirstRow,
  withRows,
  writeArchive,
  type Member,
} from './forgery.ts';
import { archiveFolder, countsOf, exportTo, fillAccount, sealed } from './scene.ts';

const folder = archiveFolder();
const archive = folder.path('account.tar.gz');
let source: Service;
let target: OwnService;
let members: readonly Member[];
let before: Readonly<Record<string, number>>;

beforeAll(async () => {
  source = await startService();
  // Actors have names of the account: two deployments of one account share no Temporal.
  target = await startOwnService({ TEMPORAL_NAMESPACE: 'elsewhere' });
  const { account } = await fillAccount(source, 'stranger');
  await sealed(source, account.id);
  await exportTo(source, account.key, archive);
  members = await membersOf(archive);
  before = await countsOf(target);
}, SERVERS_MS);
afterAll(async () => {
  await closeWithoutErrors(target);
  await closeWithoutErrors(source);
  folder.remove();
}, SERVERS_MS);

/** The words with which the file is refused, here and by the check alone. Nothing is written. */
async function refusal(path: string): Promise<string> {
  const attempt = async (input: object): Promise<string> => {
    try {
      await target.operate(importAccount, { input: path, ...input });
      return 'imported';
    } catch (error) {
      return error instanceof Error ? `${error.name}: ${error.message}` : 'thrown';
    }
  };
  const checked = await attempt({ validate_only: true });
  const refused = await attempt({});
  expect(refused).toBe(checked);
  expect(refused).toMatch(/^ArchiveError: /);
  expect(await countsOf(target)).toEqual(before);
  return refused;
}

const forged = (change: (all: readonly Member[]) => readonly Member[]): Promise<string> =>
  refusal(writeArchive(folder.path('forged.tar.gz'), change(members)));

const named = (name: string): Member => ({ name, bytes: Buffer.from('{}\n') });
const first = (member: Member) => (all: readonly Member[]) => [member, ...all];

describe('a damaged archive', () => {
  test('is refused with the name of the member, whichever has another byte', async () => {
    for (const { bytes, name } of members) {
      if (bytes.byteLength === 0) continue;
      const middle = Math.floor(bytes.byteLength / 2);
      const damaged = Buffer.from(bytes);
      damaged[middle] = (damaged[middle] ?? 0) ^ 1;
      const words = await forged((all) =>
        all.map((member) => (member.name === name ? { name, bytes: damaged } : member)),
      );
      expect(words).toContain(name);
    }
  });

  test('is refused where a member is missing', async () => {
    expect(await forged((all) => all.filter(({ name }) => !name.includes('/peers')))).toContain(
      'lacks resources/peers.jsonl',
    );
    expect(await forged((all) => all.slice(0, -1))).toContain('lacks manifest.json');
    expect(await forged((all) => all.filter(({ name }) => !name.startsWith('blobs/')))).toMatch(
      /blobs\/[0-9a-f]{64} is missing/,
    );
  });

  test('is refused where its file is cut, at the end and in the middle', async () => {
    const whole = readFileSync(archive);
    for (const size of [0, 1, 18, Math.floor(whole.byteLength / 2), whole.byteLength - 1]) {
      writeFileSync(folder.path('cut.tar.gz'), whole.subarray(0, size));
      expect(await refusal(folder.path('cut.tar.gz'))).toContain('ends too early or is damaged');
    }
    writeFileSync(folder.path('cut.tar.gz'), gzipSync(gunzipSync(whole).subarray(0, -512)));
    expect(await refusal(folder.path('cut.tar.gz'))).toContain('ends too early or is damaged');
  });

  test('is refused where something follows its end', async () => {
    const path = folder.path('longer.tar.gz');
    writeFileSync(path, gzipSync(Buffer.concat([tarOf(members), Buffer.from('more')])));
    expect(await refusal(path)).toContain('after the end of the archive');
  });

  test('is refused where there is no file', async () => {
    expect(await refusal(folder.path('nothing'))).toContain('is not a file');
    expect(await refusal(folder.path('.'))).toContain('is not a file');
  });
});

describe('a form that no export writes', () => {
  test.each([
    ['a link', '2', 'is a link'],
    ['a hard link', '1', 'is a link'],
    ['a folder', '5', 'is a folder'],
    ['a device', '3', 'is a device'],
    ['an extended header', 'x', 'was not written by an export'],
    ['a long name', 'L', 'was not written by an export'],
  ])('is refused: %s', async (_what, type, why) => {
    expect(await forged(first({ ...named('resources/x.jsonl'), type }))).toContain(why);
  });

  test.each(['../../etc/passwd', '/etc/passwd', 'resources/../x.jsonl', 'notes.txt', 'blobs/x'])(
    'is refused: the name %s',
    async (name) => {
      expect(await forged(first(named(name)))).toContain('is no member of an archive');
    },
  );

  test('is refused: a member twice', async () => {
    expect(await forged((all) => [...all.slice(0, 3), ...all.slice(2)])).toContain('stands twice');
    expect(await forged((all) => [...all, ...all.slice(-1)])).toContain('after manifest.json');
  });

  test('is refused: a table that this build does not know', async () => {
    expect(
      await forged((all) => [...all.slice(0, 5), named('resources/evil.jsonl'), ...all.slice(5)]),
    ).toContain('resources/evil.jsonl is no member that this build knows');
  });

  test('is refused: another order', async () => {
    expect(
      await forged(([one, two, ...rest]) => refitted([two, one, ...rest].filter(isMember))),
    ).toContain('stands at a wrong place');
    expect(
      await forged((all) => [...all.slice(-2, -1), ...all.slice(0, -2), ...all.slice(-1)]),
    ).toContain('stands at a wrong place');
  });

  test('is refused: contents that are a thousand times larger than their file', async () => {
    const zeros = { name: 'resources/accounts.jsonl', bytes: Buffer.alloc(90_000_000) };
    expect(await forged(first(zeros))).toContain('times larger than the file');
  });

  test('is refused: a newer schema, with both versions', async () => {
    const words = await forged((all) =>
      refitted(all, (manifest) => ({ ...manifest, schema_version: '9999_later' })),
    );
    expect(words).toMatch(/9999_later.*\d{4}_\w+/);
    expect(
      await forged((all) => refitted(all, (manifest) => ({ ...manifest, more: 1 }))),
    ).toContain('missing, unknown or invalid member');
  });
});

function isMember(member: Member | undefined): member is Member {
  return member !== undefined;
}

describe('rows that no export writes, in an archive that fits them', () => {
  test('are refused: of another account', async () => {
    expect(
      await forged((all) => withFirstRow(all, 'peers', { account_id: target.home.id })),
    ).toContain('resources/peers.jsonl, line 1: the row is of another account');
  });

  test('are refused: an account that the database has', async () => {
    const [row] = await target.rows('select key from accounts where id = $1', [target.home.id]);
    const key = String(row?.['key']);
    const words = await forged((all) =>
      refitted(withFirstRow(all, 'accounts', { key }), (manifest) => ({
        ...manifest,
        account: { ...Object(manifest['account']), key },
      })),
    );
    expect(words).toContain('an account of that id or key already');
  });

  test('are refused: two accounts, and a manifest of another one', async () => {
    expect(
      await forged((all) => withRows(all, 'accounts', (rows) => [...rows, ...rows])),
    ).toContain('must hold one account');
    expect(await forged((all) => withFirstRow(all, 'accounts', { key: 'else' }))).toContain(
      'another account than the rows',
    );
  });

  test.each([
    ['messages', 'session_id', 'message_session_is_linked_to_scope'],
    ['messages', 'speaker_peer_id', 'message_speaker_is_in_same_account'],
    ['knowledge', 'scope_id', 'knowledge_scope_is_in_same_account'],
    ['knowledge', 'supersedes_id', 'superseded_knowledge_is_in_same_account'],
    ['knowledge', 'merged_into_id', 'merged_knowledge_is_in_same_account'],
    ['provenance', 'message_id', 'provenance_message_is_in_same_account'],
    ['lifecycle_events', 'actor_peer_id', 'lifecycle_events.actor_peer_id'],
    ['knowledge_submitters', 'peer_id', 'knowledge_submitters.peer_id'],
    ['extraction_anchors', 'speaker_peer_id', 'extraction_anchors.speaker_peer_id'],
  ])('are refused: %s.%s that names nothing in the archive', async (table, column, why) => {
    expect(await forged((all) => withFirstRow(all, table, { [column]: randomUUID() }))).toContain(
      why,
    );
  });

  test('are refused: a scope of another account of the database', async () => {
    const [scope] = await target.rows('select id from scopes where account_id = $1 limit 1', [
      target.home.id,
    ]);
    expect(
      await forged((all) => withFirstRow(all, 'messages', { scope_id: scope?.['id'] })),
    ).toContain('message_session_is_linked_to_scope');
  });

  test.each([
    ['twice the same', 'peers', (rows: readonly object[]) => [...rows, ...rows]],
    [
      'a character that no text may have',
      'peers',
      ([one, ...rest]: readonly object[]) => [{ ...one, name: 'a\0' }, ...rest],
    ],
    [
      'a word of no list',
      'peers',
      ([one, ...rest]: readonly object[]) => [{ ...one, kind: 'robot' }, ...rest],
    ],
    [
      'a value that breaks a rule',
      'sessions',
      ([one, ...rest]: readonly object[]) => [{ ...one, external_id: '' }, ...rest],
    ],
  ])('are refused: %s', async (_what, table, change) => {
    expect(
      await forged((all) => withRows(all, table, (rows) => change(rows).map((row) => Object(row)))),
    ).toContain(`resources/${table}.jsonl, lines 1 to`);
  });

  test('are refused: a mailbox that does not exist', async () => {
    expect(await forged((all) => withFirstRow(all, 'sessions', { shard: 99 }))).toContain(
      'a mailbox or a run that cannot be',
    );
  });
});

describe('a forged audit log, in an archive that fits it', () => {
  test('is refused: a changed event', async () => {
    expect(
      await forged((all) => withFirstRow(all, 'audit_events', { action: 'account.renamed' })),
    ).toContain('the audit chain is broken at position 1');
  });

  test('is refused: an event that is missing, at the beginning and at the end', async () => {
    expect(await forged((all) => withRows(all, 'audit_events', (rows) => rows.slice(1)))).toContain(
      'the audit chain is broken at position 1',
    );
    expect(
      await forged((all) => withRows(all, 'audit_events', (rows) => rows.slice(0, -1))),
    ).toContain('the audit chain is broken at position');
  });

  test('is refused: a chain that is cut, with an end that fits it', async () => {
    const words = await forged((all) => {
      const cut = withRows(all, 'audit_events', (rows) => rows.slice(0, 1));
      const events = cut.find(({ name }) => name === 'resources/audit_events.jsonl');
      const row = Object(JSON.parse(events?.bytes.toString().trim() ?? '{}'));
      return withFirstRow(cut, 'audit_chains', { position: 1, hash: row.chain_hash });
    });
    expect(words).toContain('ends at another event than the manifest says');
  });
});
