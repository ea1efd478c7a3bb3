/** A decision that can be taken back has one outcome and one audit trail, though API and worker die while it waits. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { z } from 'zod';
import { stackDirectory, startStack, type RunningStack } from '../../measure/stack.ts';
import { send } from '../support/http.ts';
import { inTurn } from '../support/in-turn.ts';
import { HANGS_MS, SERVERS_MS } from '../support/patience.ts';
import { freezeNow, killNow, untilReplaced, type ProcessName } from './harness/children.ts';
import { openContests, type ContestScene } from './harness/contests.ts';
import { adminToken } from './harness/people.ts';
import { until } from './harness/until.ts';

const DAY_MS = 86_400_000;
const REVIEWS = '/api/v1/governance/reviews';

const directory = stackDirectory();
let stack: RunningStack;
let scene: ContestScene;
let database: Client;
let rows: (query: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

beforeAll(async () => {
  stack = await startStack(directory, {});
  const askTemporal = () => Promise.reject(new Error('nobody asks Temporal here'));
  scene = await openContests(directory, stack, { askTemporal, dayMs: DAY_MS });
  database = new Client({ connectionString: stack.databaseUrl });
  await database.connect();
  rows = inTurn(async (query, values = []) => (await database.query(query, [...values])).rows);
}, SERVERS_MS);

afterAll(async () => {
  await database?.end();
  await scene?.close();
  await stack?.stop();
  directory.remove();
}, SERVERS_MS);

const itemRow = z.object({ id: z.uuid(), version: z.number() });

/** The item about the proposal. */
async function itemOf(statement: string): Promise<z.infer<typeof itemRow>> {
  const found = await rows(
    "select id, version from review_items where knowledge_id = $1 and kind = 'gate_a_b'",
    [statement],
  );
  return itemRow.parse(found[0]);
}

/** What the curator sends; the API may be on its way back. */
async function post(path: string, json: object): Promise<number> {
  let status = 503;
  await until('the API answers', HANGS_MS, async () => {
    try {
      ({ status } = await send(stack.baseUrl, { path, token: adminToken(directory), json }));
    } catch {
      return false;
    }
    return status !== 503;
  });
  return status;
}

async function approve(statement: string, undoSeconds: number): Promise<void> {
  const { id, version } = await itemOf(statement);
  const path = `${REVIEWS}/${id}/approve`;
  expect(await post(path, { version, undo_seconds: undoSeconds })).toBe(200);
}

const undo = async (statement: string): Promise<number> =>
  post(`${REVIEWS}/${(await itemOf(statement)).id}/undo`, {});

async function kill(name: ProcessName): Promise<void> {
  await untilReplaced(directory, name, killNow(directory, name));
}

async function outcome(statement: string) {
  const { id } = await itemOf(statement);
  const [found] = await rows(
    `select k.state::text as statement, d.state::text as decision, r.status::text as run,
       array(select a.action from audit_events a where a.resource_id = $2::uuid and a.action like 'review.%'
         and a.action <> 'review.looked_at' order by a.occurred_at, a.id) as audit,
       (select count(*)::int from gate_decisions g where g.review_item_id = $2 and g.channel = 'api') as decisions
     from knowledge k cross join scheduled_decisions d join pipeline_runs r on r.id = d.run_id
     where k.id = $1 and d.review_item_id = $2`,
    [statement, id],
  );
  return found ?? {};
}

const untilOver = (statement: string) =>
  until('the run is over', HANGS_MS, async () => (await outcome(statement))['run'] === 'completed');

const CARRIED_OUT = {
  statement: 'active',
  decision: 'carried_out',
  run: 'completed',
  audit: ['review.scheduled', 'review.approve'],
  decisions: 1,
};

test(
  'API and worker die while decisions wait: one is carried out, one taken back, one void',
  async () => {
    const [left, undone, contested] = [await scene.said(), await scene.said(), await scene.said()];
    await approve(undone, 60);
    // However long the processes take to come back.
    await rows("update scheduled_decisions set due_at = due_at + interval '1 hour'");
    await approve(contested, 20);
    await approve(left, 20);
    await Promise.all([kill('api'), kill('worker')]);
    expect(await undo(undone)).toBe(200);
    // Before or after its time: the decision is void, or what it placed is contested.
    await until('the API answers', HANGS_MS, () =>
      scene.contest(contested).then(
        () => true,
        () => false,
      ),
    );
    await untilOver(left);
    expect(await outcome(left)).toEqual(CARRIED_OUT);
    await untilOver(contested);
    expect(await outcome(contested)).toMatchObject({ statement: 'contested' });
    expect((await outcome(contested))['audit']).toHaveLength(2);
    expect(await outcome(undone)).toMatchObject({
      statement: 'provisional',
      decision: 'undone',
      audit: ['review.scheduled', 'review.undone'],
      decisions: 0,
    });
    expect(await undo(left)).toBe(409);
    expect(await scene.brokenLaws()).toEqual([]);
  },
  3 * HANGS_MS,
);

test(
  'a worker that dies while it carries a decision out leaves it to another one',
  async () => {
    const statement = await scene.said();
    const holder = new Client({ connectionString: stack.databaseUrl });
    await holder.connect();
    try {
      // It can look at the decision only when the run is locked.
      await scene.quiet();
      const worker = freezeNow(directory, 'worker');
      await approve(statement, 1);
      await holder.query('begin');
      await holder.query(
        `select from pipeline_runs r join scheduled_decisions d on d.run_id = r.id
         where d.review_item_id = $1 for update of r`,
        [(await itemOf(statement)).id],
      );
      process.kill(worker, 'SIGCONT');
      await until('the worker waits for the run', HANGS_MS, async () => {
        const waiting =
          'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))';
        return (await holder.query(waiting)).rowCount !== 0;
      });
      await kill('worker');
    } finally {
      await holder.end();
    }
    await untilOver(statement);
    expect(await outcome(statement)).toEqual(CARRIED_OUT);
  },
  3 * HANGS_MS,
);
