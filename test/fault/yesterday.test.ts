/**
 * Servers of different days: Postgres of yesterday or today beside Temporal, the two indexes and documents that were kept,
 * emptied or put back. Every combination ends in a service that is ready and right. The short run starts a set in which
 * every pair of choices occurs, the long one all.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { covering } from '../support/cover.ts';
import { newInstallation, type Installation } from '../support/installation.ts';
import { eventually, SERVERS_MS } from '../support/patience.ts';
import { sized } from '../support/run.ts';

const DAYS = ['yesterday', 'today'] as const;
const CHOICES = ['kept', 'emptied', 'yesterday'] as const;
type Choice = (typeof CHOICES)[number];
type Combination = readonly [
  postgres: (typeof DAYS)[number],
  temporal: Choice,
  indexes: Choice,
  blobs: Choice,
];

const ALL: readonly Combination[] = DAYS.flatMap((postgres) =>
  CHOICES.flatMap((temporal) =>
    CHOICES.flatMap((indexes) =>
      CHOICES.map((blobs): Combination => [postgres, temporal, indexes, blobs]),
    ),
  ),
);

/** Every two choices of a combination, by the places where they stand. */
const pairsOf = (combination: Combination): string[] =>
  combination.flatMap((one, at) =>
    combination.slice(at + 1).map((other, further) => `${at} ${one}, ${at + 1 + further} ${other}`),
  );

let installation: Installation;
let days: string;
const words = { yesterday: 'Ada keeps bees in Tartu.', today: 'Ada keeps goats in Narva.' };

const vouchDirectory = (): string => join(installation.root, '.vouch');

function postgresHome(): string {
  const state: unknown = JSON.parse(readFileSync(join(vouchDirectory(), 'state.json'), 'utf8'));
  const { postgresHome: home } = z.object({ postgresHome: z.string().optional() }).parse(state);
  return home ?? join(vouchDirectory(), 'postgres');
}

/** The files of each store: where they stand, and their names there. */
function placesOf(store: string): readonly (readonly [string, (name: string) => boolean])[] {
  const here = vouchDirectory();
  const named = (wanted: string) => (name: string) => name === wanted;
  if (store === 'postgres') return [[postgresHome(), named('data')]];
  if (store === 'temporal') return [[here, (name) => name.startsWith('temporal.db')]];
  if (store === 'blobs') return [[here, named('blobs')]];
  return [
    [here, named('meilisearch')],
    [here, named('qdrant')],
  ];
}

function removeStore(store: string): void {
  for (const [folder, isOf] of placesOf(store)) {
    for (const name of readdirSync(folder).filter(isOf)) {
      rmSync(join(folder, name), { recursive: true });
    }
  }
}

/** With owners and modes, which Postgres looks at. */
const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);

function keep(store: string, day: string): void {
  const to = join(days, day, store);
  mkdirSync(to, { recursive: true });
  for (const [folder, isOf] of placesOf(store)) {
    for (const name of readdirSync(folder).filter(isOf)) {
      copy(join(folder, name), join(to, name));
    }
  }
}

function putBack(store: string, day: string): void {
  removeStore(store);
  const from = join(days, day, store);
  const [[folder] = ['']] = placesOf(store);
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    copy(join(from, name), join(folder, name));
  }
}

async function live(day: (typeof DAYS)[number]): Promise<void> {
  await installation.start();
  const said = await installation.ask('POST', '/api/v1/ingest', {
    session_id: day,
    scope_path: '/days',
    peer_key: 'ada',
    content: words[day],
  });
  const document = await installation.ask('POST', '/api/v1/documents', {
    scope_path: '/days',
    media_type: 'text/markdown',
    title: day,
    content_base64: Buffer.from(`# ${day}\n\n${words[day]}\n`).toString('base64'),
  });
  expect([said.status, document.status]).toEqual([202, 202]);
  const { message_id: id } = Object(Object(said.body).data);
  const { document_version_id: version } = Object(Object(document.body).data);
  for (const path of [`/api/v1/ingest/${String(id)}`, `/api/v1/documents/${String(version)}`]) {
    await eventually(async () => {
      const answer = await installation.ask('GET', `${path}?wait_ms=10000`);
      return Object(Object(answer.body).data).status === 'completed';
    });
  }
  await eventually(async () => (await installation.vouch(['index', 'verify'])).code === 0);
  await installation.stop();
  for (const store of ['postgres', 'temporal', 'indexes', 'blobs']) keep(store, day);
}

beforeAll(async () => {
  installation = await newInstallation();
  days = join(installation.root, 'days');
  for (const day of DAYS) await live(day);
}, SERVERS_MS);

afterEach(() => installation.stop(), SERVERS_MS);
afterAll(() => installation?.remove(), SERVERS_MS);

/** Whether a search finds something with the word. */
async function finds(word: string): Promise<boolean> {
  const query = { query: `Who keeps ${word}?`, scope_path: '/days' };
  const answer = await installation.ask('POST', '/api/v1/search', query);
  expect(answer.status).toBe(200);
  return JSON.stringify(Object(Object(answer.body).data).candidates).includes(word);
}

const dayOf = (choice: Choice): string => (choice === 'kept' ? 'today' : choice);

test.each(sized({ short: covering(ALL, pairsOf), long: ALL }))(
  'Postgres of %s, Temporal %s, indexes %s, documents %s: the service is ready and right',
  async (postgres, temporal, indexes, blobs) => {
    putBack('postgres', postgres);
    putBack('temporal', dayOf(temporal));
    putBack('indexes', dayOf(indexes));
    putBack('blobs', dayOf(blobs));
    await installation.start();
    await eventually(async () => {
      const { body } = await installation.ask('GET', '/api/ready');
      return Object(body).status === 'ready';
    });
    await eventually(async () => (await installation.vouch(['index', 'verify'])).code === 0);
    const isToday = postgres === 'today';
    expect([await finds('bees'), await finds('goats')]).toEqual([true, isToday]);
    const documents = JSON.parse(
      (await installation.vouch(['document', 'verify', '--remove', '--json'])).out,
    );
    const there = { today: 2, yesterday: 1, emptied: 0 }[dayOf(blobs)] ?? 0;
    const named = isToday ? 2 : 1;
    expect(documents).toMatchObject({
      named,
      missing: Math.max(0, named - there),
      removed: Math.max(0, there - named),
    });
  },
  SERVERS_MS,
);
