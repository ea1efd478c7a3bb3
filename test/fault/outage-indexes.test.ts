/**
 * Qdrant and Meilisearch go away under the running service, one after the other, come back with what they kept,
 * and at last with nothing. Ingest goes on, searches answer with what is left and say so.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { stackDirectory, startStack, type RunningStack } from '../../measure/stack.ts';
import { oneStatementPerSentence } from '../support/stub-openai.ts';
import { verifyIndex, vouch } from './harness/command-line.ts';
import { marksLeft, openWatch, unfinishedAnchors, type Watch } from './harness/database.ts';
import { holdServer, type HeldServer } from './harness/held-server.ts';
import { startProvider, type Provider } from './harness/provider.ts';
import { serviceClient, type ServiceClient } from './harness/service-client.ts';
import { until, untilAnswers } from './harness/until.ts';
import { HANGS_MS, SERVERS_MS } from '../support/patience.ts';

/** An index is waited for 2 s at first, then not at all; a busy machine gets all it needs. */
const COMPLETED_WITHIN_MS = HANGS_MS;
/** Marks are tried again after pauses that double. */
const DRAINED_WITHIN_MS = HANGS_MS;

const directory = stackDirectory();
let provider: Provider;
let qdrant: HeldServer;
let meilisearch: HeldServer;
let stack: RunningStack;
let watch: Watch;
let service: ServiceClient;

/** Says it and waits until it is completed; answers after how many milliseconds that was. */
async function settle(...contents: readonly string[]): Promise<number> {
  for (const content of contents) await service.say(content);
  return until('it is completed', COMPLETED_WITHIN_MS, async () => {
    return (await unfinishedAnchors(watch)) === 0;
  });
}

/** A search that asks to leave something out does so in every answer, late or not. */
async function untilFirstWithout(query: string, excluded: string, first: string): Promise<void> {
  await untilAnswers<unknown[]>(async () => {
    const { statements, degraded } = await service.search(query);
    expect(statements.join()).not.toContain(excluded);
    return [statements[0], degraded];
  }, [first, true]);
}

/** A search answers with this statement first, and says so of what it lacks. */
async function untilFirst(
  query: string,
  first: string,
  isDegraded: boolean,
  lacking?: readonly string[],
): Promise<void> {
  await untilAnswers<unknown[]>(async () => {
    const { statements, degraded, components } = await service.search(query);
    return [statements[0], degraded, ...(lacking === undefined ? [] : [components])];
  }, [first, isDegraded, ...(lacking === undefined ? [] : [lacking])]);
}

/** A search answers with these statements and no others. */
async function untilFound(
  query: string,
  found: readonly string[],
  isDegraded: boolean,
): Promise<void> {
  await untilAnswers<unknown[]>(async () => {
    const { statements, degraded } = await service.search(query);
    return [statements, degraded];
  }, [found, isDegraded]);
}

async function untilIndexed(index: string): Promise<void> {
  const ms = await until('no mark is left', DRAINED_WITHIN_MS, async () => {
    return (await marksLeft(watch)) === 0;
  });
  process.stderr.write(`${index}: no mark left ${(ms / 1_000).toFixed(1)} s after its return\n`);
}

async function untilReady(): Promise<void> {
  await until('ready says so', DRAINED_WITHIN_MS, async () => {
    return (await service.ready()).httpStatus === 200;
  });
}

const settings = () => ({ ...qdrant.settings, ...meilisearch.settings });

async function expectConsistent(): Promise<void> {
  const { exitCode, drift, withoutVector } = await verifyIndex(directory, settings());
  expect([exitCode, withoutVector, new Set(Object.values(drift))]).toEqual([
    0,
    0,
    new Set(['0/0/0/0']),
  ]);
}

beforeAll(async () => {
  provider = await startProvider(0, oneStatementPerSentence);
  [qdrant, meilisearch] = await Promise.all([holdServer('qdrant'), holdServer('meilisearch')]);
  stack = await startStack(directory, {
    ...settings(),
    ...provider.settings,
    SERVICE_UNATTENDED: 'true',
    SERVICE_METRICS_PORT: '0',
  });
  watch = openWatch(stack.databaseUrl);
  service = serviceClient(stack);
  await settle('I planted a maple in Bergen.', 'I painted the lantern in Riga.');
  await until('no mark is left', DRAINED_WITHIN_MS, async () => (await marksLeft(watch)) === 0);
}, SERVERS_MS);

afterAll(async () => {
  await watch?.close();
  await stack?.stop();
  await Promise.all([qdrant?.close(), meilisearch?.close()]);
  await provider?.stub.close();
  directory.remove();
});

describe('Qdrant goes away', () => {
  beforeAll(() => qdrant.away(), SERVERS_MS);

  test('observations are still accepted and completed', async () => {
    const ms = await settle('I planted a cedar in Oslo.', 'I sold the canoe in Cluj.');
    process.stderr.write(`Qdrant away: completed after ${(ms / 1_000).toFixed(1)} s\n`);
  });

  test('searches find statements from before and since, and name their degraded components', async () => {
    for (const [query, statement] of [
      ['Who planted a cedar?', 'nora: I planted a cedar in Oslo.'],
      ['Where is the maple?', 'nora: I planted a maple in Bergen.'],
    ] as const) {
      await untilFirst(query, statement, true, ['semantic', 'lexical']);
    }
    await untilFound('planted -cedar', ['nora: I planted a maple in Bergen.'], true);
  });

  test('readiness reports the search index as an error', async () => {
    const { httpStatus, checks } = await service.ready();
    expect([httpStatus, checks['search_index']]).toMatchObject([
      503,
      { status: 'error', qdrant: { status: 'error' }, meilisearch: { status: 'ok' } },
    ]);
    expect(await service.health()).toBe(200);
  });

  test('when it is back it gets the missed units, and searches are complete again', async () => {
    await qdrant.back();
    await untilIndexed('Qdrant');
    await untilFirst('Who planted a cedar?', 'nora: I planted a cedar in Oslo.', false);
    await untilReady();
    await expectConsistent();
  });
});

describe('Meilisearch goes away', () => {
  beforeAll(() => meilisearch.away(), SERVERS_MS);

  test('plain queries are answered in full, also about new statements', async () => {
    const ms = await settle('I planted a willow in Oslo.');
    process.stderr.write(`Meilisearch away: completed after ${(ms / 1_000).toFixed(1)} s\n`);
    await untilFirst('Who planted a willow?', 'nora: I planted a willow in Oslo.', false, []);
  });

  test('phrases and exclusions are still applied, and the answer is degraded', async () => {
    await untilFound('"willow in Oslo"', ['nora: I planted a willow in Oslo.'], true);
    const [willow, maple] = [
      'nora: I planted a willow in Oslo.',
      'nora: I planted a maple in Bergen.',
    ];
    await untilFirstWithout('planted in Oslo -cedar', 'cedar', willow);
    await untilFirstWithout('planted -"in Oslo"', 'in Oslo', maple);
  });

  test('readiness reports the search index as an error', async () => {
    const { httpStatus, checks } = await service.ready();
    expect([httpStatus, checks['search_index']]).toMatchObject([
      503,
      { status: 'error', meilisearch: { status: 'error' }, qdrant: { status: 'ok' } },
    ]);
  });

  test('when it is back it gets the missed units, and searches are complete again', async () => {
    await meilisearch.back();
    await untilIndexed('Meilisearch');
    await untilFound('"willow in Oslo"', ['nora: I planted a willow in Oslo.'], false);
    await untilReady();
    await expectConsistent();
  });
});

describe('both come back empty', () => {
  beforeAll(async () => {
    await Promise.all([qdrant.away(), meilisearch.away()]);
    qdrant.loseData();
    meilisearch.loseData();
    await Promise.all([qdrant.back(), meilisearch.back()]);
  });

  test('a new observation completes and is found, and the answer is degraded', async () => {
    await settle('I planted a rowan in Tartu.');
    await untilFirst('Who planted a rowan?', 'nora: I planted a rowan in Tartu.', true);
    const { httpStatus, checks } = await service.ready();
    expect(httpStatus).toBe(503);
    expect(checks).toMatchObject({ embedding_index: { status: 'error' } });
  });

  test(
    'a rebuild beside the running service fills both indexes again, and no row is missing',
    async () => {
      const { exitCode, value } = await vouch(directory, ['index', 'rebuild'], settings());
      expect([exitCode, value]).toMatchObject([0, { failed: 0 }]);
      await untilIndexed('both, rebuilt');
      await expectConsistent();
      for (const [query, statement] of [
        ['"maple in Bergen"', 'nora: I planted a maple in Bergen.'],
        ['Who planted a rowan?', 'nora: I planted a rowan in Tartu.'],
      ] as const) {
        await untilFirst(query, statement, false);
      }
      await untilReady();
    },
    SERVERS_MS,
  );
});
