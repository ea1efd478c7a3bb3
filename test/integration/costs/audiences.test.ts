/**
 * What an account with very many circles and audiences costs beside one without any. `npm run bench:audiences` runs it with
 * more of them, and writes a page of interleaved timings; a test run looks at counts alone.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { z } from 'zod';
import { percentiles, timed } from '../../../measure/bench/timing.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { readCounts, vacuum } from './counters.ts';
import { Agent, openService, prepareAgent, SCOPE } from './service.ts';
import { QUESTIONS, talk, type Said } from './talk.ts';

const shape = z.object({
  VOUCH_AUDIENCES_CIRCLES: z.coerce.number().int().min(100).max(100_000).default(200),
  VOUCH_AUDIENCES: z.coerce.number().int().min(100).max(1_000_000).default(2_000),
  VOUCH_AUDIENCES_ROUNDS: z.coerce.number().int().min(1).max(1_000).default(2),
  VOUCH_AUDIENCES_REPORT: z.string().min(1).optional(),
});
// oxlint-disable-next-line node/no-process-env
const given = shape.parse(process.env);
const { VOUCH_AUDIENCES: AUDIENCES, VOUCH_AUDIENCES_CIRCLES: CIRCLES } = given;
const { VOUCH_AUDIENCES_REPORT: REPORT, VOUCH_AUDIENCES_ROUNDS: ROUNDS } = given;

const MESSAGES = 300;
/** Circles that the reader is a member of, along its chain. */
const OWN_CIRCLES = 60;
const ACCOUNTS = ['without any', 'with very many'] as const;
type Account = (typeof ACCOUNTS)[number];

const prefix = `a${randomBytes(5).toString('hex')}`;
const databases = new Map<Account, TestDatabase>();
const keys = new Map<Account, string>();

const of = <T>(map: ReadonlyMap<Account, T>, account: Account): T => {
  const value = map.get(account);
  if (value === undefined) throw new Error(account);
  return value;
};

/** Circles, of which the agent is in some, and audiences that name two of the peers and a circle. */
async function crowd(database: TestDatabase): Promise<void> {
  const client = new Client({ connectionString: database.adminUrl });
  await client.connect();
  try {
    await client.query(
      `with place as (select account_id, id from scopes where path = $3),
       made as (
         insert into circles (account_id, id, scope_id, name)
         select account_id, gen_random_uuid(), id, 'circle ' || n from place, generate_series(1, $1::integer) n
         returning account_id, id, name)
       insert into circle_members (account_id, circle_id, peer_id)
       select made.account_id, made.id, p.id from made join peers p on p.account_id = made.account_id
       where p.key <> 'agent' or substr(made.name, 8)::integer <= $2::integer`,
      [CIRCLES, OWN_CIRCLES, SCOPE],
    );
    await client.query(
      `with place as (select account_id, id from scopes where path = $3),
       made as (
         insert into audiences (account_id, id, scope_id, digest)
         select account_id, gen_random_uuid(), id, sha256(n::text::bytea) from place, generate_series(1, $2::integer) n
         returning account_id, id),
       numbered as (select made.*, row_number() over () as n from made),
       circle as (select id, row_number() over () - 1 as n from circles)
       insert into audience_members (account_id, audience_id, principal)
       select numbered.account_id, numbered.id, circle.id::text
       from numbered join circle on circle.n = numbered.n % $1::integer`,
      [CIRCLES, AUDIENCES, SCOPE],
    );
    await client.query('analyze');
  } finally {
    await client.end();
  }
}

/** Every other turn is for some, in an account that knows audiences. */
function told(account: Account, said: Said, nth: number): Said {
  if (account === 'without any' || nth % 2 === 0) return said;
  const circles = [`circle ${(nth % OWN_CIRCLES) + 1}`];
  return { ...said, audience: { circles } };
}

async function withAgent<T>(account: Account, work: (agent: Agent) => Promise<T>): Promise<T> {
  const container = await openService(of(databases, account), `${prefix}${account.length}`);
  try {
    return await work(await Agent.of(container, of(keys, account)));
  } finally {
    await container.close();
  }
}

beforeAll(async () => {
  const said = talk(MESSAGES, 10, 8);
  for (const account of ACCOUNTS) {
    const database = await createTestDatabase();
    databases.set(account, database);
    const container = await openService(database, `${prefix}${account.length}`);
    keys.set(account, await prepareAgent(container));
    await container.close();
    await withAgent(account, (agent) => agent.sayAll(said.slice(0, 20)));
    if (account === 'with very many') await crowd(database);
    await withAgent(account, async (agent) => {
      await agent.sayAll(said.map((one, nth) => told(account, one, nth)));
      await agent.drainAll();
    });
    await vacuum(database);
  }
}, 600_000);
afterAll(async () => {
  for (const [account, database] of databases) {
    await database.drop();
    await dropIndexes(`${prefix}${account.length}`);
  }
});

/** The SQL statements that the work sends, in a container of its own. */
async function statementsOf(
  account: Account,
  work: (agent: Agent) => Promise<unknown>,
): Promise<number> {
  // What a container asks once, whatever it does.
  const idle = await countsOf(account, async () => {});
  return (await countsOf(account, work)) - idle;
}

async function countsOf(account: Account, work: (agent: Agent) => Promise<unknown>) {
  const before = await readCounts(of(databases, account));
  await withAgent(account, work);
  return (await readCounts(of(databases, account))).statements - before.statements;
}

const [question] = QUESTIONS;
const [first] = talk(1, 1, 1);

test('an observation, and a search, send as many SQL statements as in an account without circles', async () => {
  if (first === undefined) throw new Error('nothing is said');
  for (const work of [
    (agent: Agent) => agent.say({ ...first, content: `${first.content} Twice.` }),
    (agent: Agent) => agent.search(question),
  ]) {
    const [without, withMany] = [
      await statementsOf('without any', work),
      await statementsOf('with very many', work),
    ];
    expect(without).toBeGreaterThan(0);
    expect(withMany).toBe(without);
  }
}, 300_000);

test('an observation that names a circle sends one transaction more, with one query', async () => {
  if (first === undefined) throw new Error('nothing is said');
  const say = (audience: object | null) =>
    statementsOf('with very many', (agent) =>
      agent.say({
        ...first,
        content: `${first.content} To ${JSON.stringify(audience)}.`,
        audience,
      }),
    );
  const plain = await say(null);
  expect(await say({ peers: ['somebody'] })).toBe(plain);
  // The beginning, the account, the look for the circle, and the end.
  expect((await say({ circles: ['circle 1'] })) - plain).toBe(4);
}, 300_000);

test('an observation and a search are timed in turns in both accounts', async () => {
  if (first === undefined) throw new Error('nothing is said');
  const taken = new Map<string, number[]>();
  const note = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const { ms } = await timed(work);
    taken.set(name, [...(taken.get(name) ?? []), ms]);
  };
  await withAgent('without any', (without) =>
    withAgent('with very many', async (many) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const said = { ...first, content: `${first.content} Round ${round}.` };
        const query = QUESTIONS[round % QUESTIONS.length] ?? question;
        const pairs = [
          ['without any', without],
          ['with very many', many],
        ] as const;
        for (const [account, agent] of round % 2 === 0 ? pairs : pairs.toReversed()) {
          await note(`search, ${account}`, () => agent.search(query));
          await note(`accept, ${account}`, () => agent.say(said));
        }
        const circles = [`circle ${(round % OWN_CIRCLES) + 1}`];
        await note('accept for a circle, with very many', () =>
          many.say({ ...said, content: `${said.content} To some.`, audience: { circles } }),
        );
      }
    }),
  );
  expect([...taken.keys()]).toHaveLength(5);
  if (REPORT === undefined) return;
  const rows = [...taken].map(([name, all]) => {
    const { p50, p95 } = percentiles(all);
    return `| ${name} | ${p50.toFixed(1)} | ${p95.toFixed(1)} |`;
  });
  appendFileSync(
    REPORT,
    [
      `${CIRCLES.toLocaleString('en')} circles, ${AUDIENCES.toLocaleString('en')} audiences, ${ROUNDS} rounds in turns:`,
      '',
      '| what | p50 ms | p95 ms |',
      '| --- | ---: | ---: |',
      ...rows,
      '',
      '',
    ].join('\n'),
  );
}, 600_000);
