/** Contests on a running start: what a subject and a curator say over REST, and what the rows and Temporal tell. */
import { Client } from 'pg';
import { z } from 'zod';
import { runWorkflowId } from '../../../domain/actors/names.ts';
import type { RunningStack, StackDirectory } from '../../../measure/stack.ts';
import { brokenLaws } from '../../integration/governance/laws.ts';
import { inTurn } from '../../support/in-turn.ts';
import { send, type HttpAnswer, type HttpCall } from '../../support/http.ts';
import { shortenContestDays } from '../../support/short-days.ts';
import { adminToken, signUp } from './people.ts';
import type { AskTemporal } from './temporal.ts';
import { until } from './until.ts';
import { HANGS_MS } from '../../support/patience.ts';

const SCOPE = '/workshop';
const SUBJECT = 'alice';
const REVIEWS = '/api/v1/governance/reviews';
const PATIENCE_MS = HANGS_MS;

/** What the subject collects: statements that have nothing to do with each other. */
const COLLECTED =
  'stamps coins shells maps jars keys bells clocks masks spoons lamps tiles buttons fans kites ropes dolls pipes'.split(
    ' ',
  );

const accepted = z.object({ data: z.object({ message_id: z.uuid() }) });
const settled = z.object({ data: z.object({ status: z.string() }) });
const idRow = z.object({ id: z.uuid() });
const queue = z.object({
  data: z.object({
    items: z.array(
      z.object({ id: z.uuid(), version: z.int(), knowledge: z.object({ id: z.uuid() }) }),
    ),
  }),
});
const outcomeRow = z.object({
  knowledge: z.string(),
  item: z.string(),
  reason: z.string().nullable(),
  version: z.number(),
  escalated: z.date().nullable(),
  is_due: z.boolean(),
  left_contested: z.array(z.string()),
  run_id: z.uuid(),
  run: z.string(),
  runs: z.number(),
});
/** A contest as the rows tell of it, with its statement and its run. */
export type Outcome = z.infer<typeof outcomeRow>;

export interface ContestScene {
  /** The subject says something new; answers the statement's id. */
  said(): Promise<string>;
  contest(id: string): Promise<void>;
  /** The curator reads the queue, and decides about the contest of the statement. */
  decide(id: string, action: 'approve' | 'reject'): Promise<void>;
  /** The latest contest of the statement. */
  outcome(id: string): Promise<Outcome>;
  until(what: string, ids: readonly string[], holds: (now: Outcome) => boolean): Promise<void>;
  /** Waits until the workflows of the contests sleep, with their timers set in Temporal. */
  untilAsleep(ids: readonly string[]): Promise<void>;
  /** Does the work while the worker is within a look at the contest, which waits for a lock on its run. */
  duringLook(id: string, work: () => Promise<void>): Promise<void>;
  /** Lets minutes pass for everything that was handed to Temporal. */
  age(): Promise<void>;
  /** Waits until no index waits for anything: the worker has nothing left to do. */
  quiet(): Promise<void>;
  brokenLaws(): Promise<readonly string[]>;
  close(): Promise<void>;
}

function expected<T>(shape: z.ZodType<T>, status: number, answer: HttpAnswer): T {
  if (answer.status !== status) throw new Error(`answered with ${answer.status}: ${answer.text}`);
  return shape.parse(answer.json());
}

const OUTCOME = `
  select k.state::text as knowledge, i.state::text as item, i.end_reason as reason, i.version, i.escalated_at as escalated,
    i.due_at < clock_timestamp() as is_due, r.id as run_id, r.status::text as run,
    (select count(*)::int from pipeline_runs same where same.target_id = i.id) as runs,
    array(select e.reason::text from lifecycle_events e
      where e.knowledge_id = k.id and e.from_state = 'contested' order by e.occurred_at) as left_contested
  from review_items i join knowledge k on k.id = i.knowledge_id join pipeline_runs r on r.target_id = i.id
  where i.knowledge_id = $1 and i.kind = 'contest' order by i.id desc limit 1`;

/** Whether the last thing that the workflow did is to set a timer. */
async function sleeps(askTemporal: AskTemporal, runId: string): Promise<boolean> {
  const workflowId = runWorkflowId('contest', runId);
  try {
    const { events } = await askTemporal(({ workflow }) =>
      workflow.getHandle(workflowId).fetchHistory(),
    );
    return events?.at(-1)?.timerStartedEventAttributes != null;
  } catch {
    // Not started yet, or Temporal has only just returned.
    return false;
  }
}

function requests(baseUrl: string) {
  const call = (request: HttpCall): Promise<HttpAnswer> => send(baseUrl, request);
  return {
    get: (path: string, token: string) => call({ path, token }),
    post: (path: string, token: string, json: object) => call({ path, token, json }),
  };
}

/** Holds a lock on the row of a run, does the work once another transaction waits for it, and lets it go. */
async function withRunLocked(databaseUrl: string, runId: string, work: () => Promise<void>) {
  const holder = new Client({ connectionString: databaseUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from pipeline_runs where id = $1 for update', [runId]);
    await until('somebody waits for the run', PATIENCE_MS, async () => {
      const waiting =
        'select from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))';
      return (await holder.query(waiting)).rowCount !== 0;
    });
    await work();
  } finally {
    await holder.end();
  }
}

/** Opens it on a start whose contests last `dayMs` and then `dayMs` again. */
export async function openContests(
  directory: StackDirectory,
  { apiKey, baseUrl, databaseUrl }: RunningStack,
  { askTemporal, dayMs }: { readonly askTemporal: AskTemporal; readonly dayMs: number },
): Promise<ContestScene> {
  const database = new Client({ connectionString: databaseUrl });
  await database.connect();
  const rows = inTurn(
    async (query: string, values: readonly unknown[] = []) =>
      (await database.query<Record<string, unknown>>(query, [...values])).rows,
  );
  await shortenContestDays(rows, dayMs);
  const { get, post } = requests(baseUrl);
  let times = 0;

  async function said(): Promise<string> {
    const content = `I collect ${COLLECTED[times]}.`;
    times += 1;
    if (times > COLLECTED.length) throw new Error('everything is collected');
    // A session of its own, so that neighbours do not wait for each other.
    const turn = { session_id: `said-${times}`, scope_path: SCOPE, peer_key: SUBJECT, content };
    const told = expected(accepted, 202, await post('/api/v1/ingest', apiKey, turn));
    const path = `/api/v1/ingest/${told.data.message_id}?wait_ms=5000`;
    await until('it is extracted', PATIENCE_MS, async () => {
      return expected(settled, 200, await get(path, apiKey)).data.status === 'completed';
    });
    const [row] = await rows('select knowledge_id as id from provenance where message_id = $1', [
      told.data.message_id,
    ]);
    return idRow.parse(row).id;
  }

  const outcome = async (id: string): Promise<Outcome> =>
    outcomeRow.parse((await rows(OUTCOME, [id]))[0]);
  const all = async (ids: readonly string[], holds: (id: string) => Promise<boolean>) =>
    (await Promise.all(ids.map(holds))).every(Boolean);

  // The subject is a peer that the service knows from then on.
  await said();
  const subject = await signUp(directory, baseUrl, SUBJECT);
  const curator = adminToken(directory);
  return {
    said,
    outcome,
    async contest(id) {
      const answer = await post(`/api/v1/self/knowledge/${id}/contest`, subject, {});
      expected(z.unknown(), 200, answer);
    },
    async decide(id, action) {
      const answer = await get(`${REVIEWS}?kind=contest&limit=100`, curator);
      const { items } = expected(queue, 200, answer).data;
      const item = items.find(({ knowledge }) => knowledge.id === id);
      const decision = { version: item?.version };
      const path = `${REVIEWS}/${item?.id}/${action}`;
      expected(z.unknown(), 200, await post(path, curator, decision));
    },
    async until(what, ids, holds) {
      await until(what, PATIENCE_MS, () => all(ids, async (id) => holds(await outcome(id))));
    },
    async untilAsleep(ids) {
      await until('the contests sleep', PATIENCE_MS, () =>
        all(ids, async (id) => sleeps(askTemporal, (await outcome(id)).run_id)),
      );
    },
    async duringLook(id, work) {
      await withRunLocked(databaseUrl, (await outcome(id)).run_id, work);
    },
    async age() {
      await rows("update pipeline_runs set dispatched_at = dispatched_at - interval '6 minutes'");
    },
    async quiet() {
      await until('no mark is left', PATIENCE_MS, async () => {
        return (await rows('select from dirty_marks limit 1')).length === 0;
      });
    },
    async brokenLaws() {
      const accounts = z.array(idRow).parse(await rows('select id from accounts'));
      const broken: string[] = [];
      for (const { id } of accounts) broken.push(...(await brokenLaws({ rows }, id)));
      return broken;
    },
    close: () => database.end(),
  };
}
