/**
 * What one observation, search, status and context costs, counted and not timed: a rise fails until docs/reference/costs.md is
 * changed on purpose (`npm run costs`), with the reason in the commit.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { testSetting } from '../../support/environment.ts';
import { dropIndexes } from '../../support/indexes.ts';
import {
  addStatements,
  nothingIsMarked,
  perUnit,
  readCounts,
  stopAutovacuum,
  vacuum,
  type Counts,
} from './counters.ts';
import { eventually } from '../../support/patience.ts';
import { Agent, openService, prepareAgent, SCOPE } from './service.ts';
import { sized } from '../../support/run.ts';
import { readTable, risen, writeTable } from './table.ts';
import { QUESTIONS, talk, type Said } from './talk.ts';

const MESSAGES = 400;
/** What is held beside the last loads. */
const SIZES = { short: 10_000, long: 100_000 } as const;
const GROWN = sized(SIZES);
const beside = (size: number): string => `, beside ${size.toLocaleString('en-US')} statements`;
const WRITES = testSetting('VOUCH_COSTS_WRITE', 0) === 1;

const prefix = `c${randomBytes(5).toString('hex')}`;
let database: TestDatabase;
let key: string;
const counted = new Map<string, { readonly counts: Counts; readonly units: number }>();

const sayOne = (said: Said) => async (agent: Agent) => {
  await agent.say(said);
  await agent.drainAll();
};
const sayAll = (said: readonly Said[]) => async (agent: Agent) => {
  await agent.sayAll(said);
  await agent.drainAll();
};

beforeAll(async () => {
  database = await createTestDatabase();
  const container = await openService(database, prefix);
  key = await prepareAgent(container);
  await stopAutovacuum(database);
  await container.close();
});
afterAll(async () => {
  await database.drop();
  await dropIndexes(prefix);
});

/** Marks that were not due yet are no work of the next load. */
async function settle(): Promise<void> {
  const container = await openService(database, prefix);
  try {
    const agent = await Agent.of(container, key);
    await eventually(async () => {
      await agent.drainAll();
      return nothingIsMarked(database);
    });
  } finally {
    await container.close();
  }
}

/** The counts of `work` on a container of its own, in which it is the only work. */
async function countsOf(work: (agent: Agent) => Promise<unknown>): Promise<[Counts, Counts]> {
  await vacuum(database);
  const before = await readCounts(database);
  const container = await openService(database, prefix);
  try {
    await work(await Agent.of(container, key));
  } finally {
    await container.close();
  }
  return [before, await readCounts(database)];
}

let besides: Counts | null = null;

async function count(name: string, units: number, work: (agent: Agent) => Promise<unknown>) {
  if (besides === null) {
    const [before, after] = await countsOf(async () => undefined);
    besides = perUnit(before, after, null, 1);
  }
  const [before, after] = await countsOf(work);
  counted.set(name, { counts: perUnit(before, after, besides, units), units });
  await settle();
}

/** A status, a search and a context. */
async function countReads(last: string, among: string): Promise<void> {
  await count(`a status${among}`, 10, async (agent) => {
    for (let n = 0; n < 10; n += 1) await agent.status(last);
  });
  await count(`a search${among}`, QUESTIONS.length, async (agent) => {
    for (const question of QUESTIONS) await agent.search(question);
  });
  await count(`a context${among}`, QUESTIONS.length, async (agent) => {
    for (const question of QUESTIONS) await agent.context(question);
  });
}

test('no load costs more than its line on the page of costs', async () => {
  // The other loads come among what this one leaves.
  const held = talk(MESSAGES, 10, 8).map((said) => ({
    ...said,
    session_id: `held-${said.session_id}`,
  }));
  await count('an observation of 400, the first of all', MESSAGES, sayAll(held));
  const conversation = talk(MESSAGES, 8, 2);
  const [first] = conversation;
  if (first === undefined) throw new Error('nobody says anything');
  await count('one observation', 1, sayOne({ ...first, session_id: 'first' }));
  await count('an observation of a conversation of 400', MESSAGES, sayAll(conversation));
  const many = talk(MESSAGES, 40, 8).map((said) => ({
    ...said,
    session_id: `m-${said.session_id}`,
  }));
  await count('an observation of 400 in forty sessions', MESSAGES, sayAll(many));
  const same = conversation.map((said) => ({ ...said, content: 'I play the cello in Porto.' }));
  await count('the same sentence 400 times', MESSAGES, sayAll(same));
  let last = '';
  await count('one observation, not drained', 1, async (agent) => {
    last = await agent.say({ ...first, session_id: 'last', content: 'I keep two goats.' });
  });
  await countReads(last, '');
  await addStatements(database, SCOPE, GROWN);
  const among = beside(GROWN);
  const again = talk(MESSAGES, 8, 2).map((said) => ({
    ...said,
    session_id: `grown-${said.session_id}`,
    content: `${said.content} Again.`,
  }));
  await count(`an observation of 400${among}`, MESSAGES, sayAll(again));
  await countReads(last, among);
  if (WRITES) writeTable(new Map([...counted].map(([name, { counts }]) => [name, counts])));
  const table = readTable();
  // The page has the lines of both runs of the tests.
  const lines = [...counted.keys()].flatMap((name) =>
    Object.values(SIZES).map((size) => name.replace(among, beside(size))),
  );
  expect(new Set(table.keys())).toEqual(new Set(lines));
  const rises = [...counted].flatMap(([name, now]) => {
    const budget = table.get(name);
    return budget === undefined ? [`${name} has no line`] : risen(name, budget, now);
  });
  expect(rises).toEqual([]);
});
