/**
 * Every process of the one-command start is killed with `kill -9` under load, and the end is that of an
 * undisturbed run. A long run kills each process twice under 2,000 observations, a short one each once under
 * fewer.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { stackDirectory } from '../../measure/stack.ts';
import { PROCESSES } from './harness/children.ts';
import { verifyIndex, vouch } from './harness/command-line.ts';
import { openExtractions } from './harness/database.ts';
import { differenceOf, readEndState, type EndState } from './harness/end-state.ts';
import { openIndexes, type Indexes, type StatementRef } from './harness/indexes.ts';
import { faultInput } from './harness/input.ts';
import { startProvider, type Provider } from './harness/provider.ts';
import { runInput, type Run } from './harness/run.ts';
import { KILL_SETTINGS } from './harness/settings.ts';
import { SERVERS_MS } from '../support/patience.ts';

const observations = faultInput(KILL_SETTINGS.messages);
const ANSWER_MS = 200;
const NO_DRIFT = {
  'qdrant statement': '0/0/0/0',
  'qdrant message': '0/0/0/0',
  'meilisearch statement': '0/0/0/0',
  'meilisearch message': '0/0/0/0',
};

const calmDirectory = stackDirectory();
const directory = stackDirectory();
let provider: Provider | undefined;
let run: Run | undefined;
let calm: EndState;
let disturbed: EndState;

/** What an undisturbed run comes to; its servers are gone before the disturbed one begins. */
async function undisturbed(): Promise<EndState> {
  const quick = await startProvider(0);
  try {
    const finished = await runInput({
      directory: calmDirectory,
      provider: quick,
      observations,
      perSecond: null,
      victims: [],
      acceptedBetweenKills: 0,
    });
    process.stderr.write(`undisturbed: ${seconds(finished)}\n`);
    try {
      return await readEndState(finished.watch, finished.numbers);
    } finally {
      await finished.stop();
    }
  } finally {
    await quick.stub.close();
  }
}

function started(): { run: Run; provider: Provider } {
  if (run === undefined || provider === undefined) throw new Error('the run did not start');
  return { run, provider };
}

function seconds({ loadSeconds, drainSeconds, marksSeconds }: Run): string {
  return [
    `${observations.length} observations accepted in ${loadSeconds.toFixed(1)} s`,
    `settled ${drainSeconds.toFixed(1)} s later`,
    `no mark left ${marksSeconds.toFixed(1)} s after that`,
  ].join(', ');
}

function report(finished: Run): void {
  const lines = [
    `with kills: ${seconds(finished)}, ${finished.repeats} requests repeated`,
    ...finished.kills.map(
      ({ process: name, accepted, holds, committed, between, recoveredSeconds }) =>
        [
          name,
          `${accepted} accepted`,
          `${holds} anchors held`,
          `${committed.length} committed, ${between} of them not completed`,
          recoveredSeconds === null
            ? 'no more committed'
            : `more after ${recoveredSeconds.toFixed(1)} s`,
        ].join(', '),
    ),
    `${disturbed.statements.length} statements, ${started().provider.requests().length} questions about an observation`,
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}

beforeAll(async () => {
  calm = await undisturbed();
  provider = await startProvider(ANSWER_MS);
  run = await runInput({ ...KILL_SETTINGS, directory, provider, observations });
  disturbed = await readEndState(run.watch, run.numbers);
  report(run);
}, 900_000);

afterAll(async () => {
  await run?.stop();
  await provider?.stub.close();
  for (const used of [calmDirectory, directory]) used.remove();
});

describe('after every process was killed under load', () => {
  test('each process was killed as often as set, while drains held anchors, with load between the kills', () => {
    const { kills } = started().run;
    const times = Map.groupBy(kills, (kill) => kill.process);
    for (const name of PROCESSES) expect(times.get(name)).toHaveLength(KILL_SETTINGS.rounds);
    expect(kills.every(({ holds }) => holds > 0)).toBe(true);
    const accepted = [0, ...kills.map((kill) => kill.accepted)];
    const between = accepted.slice(1).map((count, index) => count - (accepted[index] ?? 0));
    // On a slow machine a kill that waits for work under way uses up what was to come before the later ones.
    expect(Math.min(...between)).toBeGreaterThan(0);
  });

  test('exactly the messages that were sent exist, and all are completed', () => {
    expect(disturbed.messages).toHaveLength(observations.length);
    const open = disturbed.messages.filter((line) => !line.includes('"status":"completed"'));
    expect(open).toEqual([]);
    expect(new Set(started().run.numbers.values()).size).toBe(observations.length);
  });

  test('messages and statements equal those of a run without kills', () => {
    expect(calm.statements.length).toBeGreaterThan(observations.length / 10);
    expect(differenceOf(calm.statements, disturbed.statements)).toEqual({
      missing: [],
      unexpected: [],
    });
    expect(differenceOf(calm.messages, disturbed.messages)).toEqual({
      missing: [],
      unexpected: [],
    });
  });

  test('no anchor whose statements were committed before a kill reached the provider again', () => {
    const { kills } = started().run;
    const requests = started().provider.requests();
    const again = kills.flatMap(({ at, committed }) => {
      const done = new Set(committed);
      return requests.filter(({ anchorId, receivedAt }) => receivedAt > at && done.has(anchorId));
    });
    expect(again).toEqual([]);
    // Otherwise there was no anchor that could have been asked about again.
    expect(Math.max(...kills.map(({ between }) => between))).toBeGreaterThan(0);
  });

  test('the ledger knows the outcome of every extraction', async () => {
    expect(await openExtractions(started().run.watch)).toBe(0);
  });
});

describe('index verify', () => {
  let indexes: Indexes;
  let some: readonly StatementRef[];

  beforeAll(async () => {
    const { watch } = started().run;
    indexes = await openIndexes(directory);
    const row = z.object({ accountId: z.string(), statementId: z.string() });
    const query = `select account_id as "accountId", id as "statementId" from knowledge order by id limit 2`;
    some = (await watch.ask(row, query)) ?? [];
  });

  const nth = (index: number): StatementRef => {
    const found = some[index];
    if (found === undefined) throw new Error('there are no statements');
    return found;
  };

  test('finds no drift and no orphans, and every row in each index', async () => {
    const { exitCode, drift, expected, withoutVector } = await verifyIndex(directory);
    expect({ exitCode, withoutVector, drift }).toEqual({
      exitCode: 0,
      withoutVector: 0,
      drift: NO_DRIFT,
    });
    expect(expected).toEqual({
      'qdrant statement': disturbed.statements.length,
      'qdrant message': observations.length,
      'meilisearch statement': disturbed.statements.length,
      'meilisearch message': observations.length,
    });
  });

  test(
    'finds a planted, a removed and a too new row in each index, and a rebuild repairs them',
    async () => {
      await indexes.remove(nth(0));
      await indexes.overtake(nth(1));
      await indexes.plant(nth(0).accountId);
      const spoiled = await verifyIndex(directory);
      expect([spoiled.exitCode, spoiled.consistent]).toEqual([1, false]);
      expect(spoiled.drift).toEqual({
        ...NO_DRIFT,
        'qdrant statement': '1/1/1/0',
        'meilisearch statement': '1/1/1/0',
      });
      expect((await vouch(directory, ['index', 'rebuild'])).exitCode).toBe(0);
      const mended = await verifyIndex(directory);
      expect([mended.exitCode, mended.drift]).toEqual([0, NO_DRIFT]);
    },
    SERVERS_MS,
  );
});
