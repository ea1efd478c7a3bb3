/** Everything that Temporal shows of its executions, read by a client that knows none of our converters. */
import { Client, Connection } from '@temporalio/client';
import { isSafeText, refuse } from '../../domain/workflow-history/safe-text.ts';
import { leavesOf } from '../support/canaries/leaves.ts';
import { answered } from '../support/schedules.ts';

const QUERIES = [
  'totals',
  '__temporal_workflow_metadata',
  '__stack_trace',
  '__enhanced_stack_trace',
];
const CALL_WITHIN_MS = 60_000;

export interface TemporalExport {
  /** As they are exported: protocol messages with their payloads. */
  readonly histories: readonly unknown[];
  /** What lists and descriptions answer, schedules included. */
  readonly visibility: readonly unknown[];
  /** What each workflow answers to each query, or the error it gives. */
  readonly queryAnswers: readonly unknown[];
  readonly workflowTypes: readonly string[];
  /** The ids of all schedules. */
  readonly schedules: readonly string[];
}

/** Starts what a schedule would start at its time, as an operator does in Temporal's own pages. */
export async function triggerSchedule(
  address: string,
  namespace: string,
  scheduleId: string,
): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection, namespace, identity: 'canary' });
    await answered(() => client.schedule.getHandle(scheduleId).trigger());
  } finally {
    await connection.close();
  }
}

/** How many executions of each type have completed. */
export async function countCompleted(
  address: string,
  namespace: string,
): Promise<ReadonlyMap<string, number>> {
  const connection = await Connection.connect({ address });
  try {
    const client = new Client({ connection, namespace, identity: 'canary' });
    const completed = new Map<string, number>();
    for await (const { type } of client.workflow.list({ query: 'ExecutionStatus="Completed"' })) {
      completed.set(type, (completed.get(type) ?? 0) + 1);
    }
    return completed;
  } finally {
    await connection.close();
  }
}

function textsOf(error: unknown): unknown {
  const { message, stack, cause } = Object(error);
  return { message, stack, cause: cause === undefined ? '' : String(cause) };
}

/** Reads all executions of the namespace, asks each the queries, and describes every schedule. */
export async function exportTemporal(
  address: string,
  namespace: string,
  queries: readonly string[] = QUERIES,
): Promise<TemporalExport> {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace, identity: 'canary' });
  const bounded = <T>(call: () => Promise<T>): Promise<T> =>
    connection.withDeadline(Date.now() + CALL_WITHIN_MS, call);
  const [histories, visibility, queryAnswers]: [unknown[], unknown[], unknown[]] = [[], [], []];
  const workflowTypes = new Set<string>();
  const schedules: string[] = [];
  try {
    for await (const execution of client.workflow.list()) {
      workflowTypes.add(execution.type);
      visibility.push(execution.raw);
      const handle = client.workflow.getHandle(execution.workflowId, execution.runId);
      histories.push(await bounded(() => handle.fetchHistory()));
      visibility.push((await bounded(() => handle.describe())).raw);
      for (const query of queries) {
        queryAnswers.push(await bounded(() => handle.query(query)).catch(textsOf));
      }
    }
    for await (const schedule of client.schedule.list()) {
      schedules.push(schedule.scheduleId);
      const described = await answered(() =>
        client.schedule.getHandle(schedule.scheduleId).describe(),
      );
      visibility.push(schedule, described.raw);
    }
  } finally {
    await connection.close();
  }
  return {
    histories,
    visibility,
    queryAnswers,
    workflowTypes: [...workflowTypes].toSorted(),
    schedules,
  };
}

/** Names, ids, versions and codes: no blank, no line break, nothing but ASCII. */
const TOKEN = /^[A-Za-z0-9._:/@+=,|-]{0,128}$/;

interface PayloadShape {
  readonly metadata: object;
  readonly data: Uint8Array;
}

function isPayload(value: object): value is PayloadShape {
  return 'metadata' in value && 'data' in value && typeof value.metadata === 'object';
}

function payloadsIn(value: unknown, path: string, into: Map<string, PayloadShape>): void {
  if (typeof value !== 'object' || value === null) return;
  if (isPayload(value)) into.set(path, value);
  else if (!(value instanceof Uint8Array)) {
    for (const [key, item] of Object.entries(value)) payloadsIn(item, `${path}.${key}`, into);
  }
}

function payloadProblem(path: string, { data }: PayloadShape): string | null {
  if (data.length === 0) return null;
  const value: unknown = JSON.parse(Buffer.from(data).toString('utf8'));
  // Search attributes are words of their own closed lists, or what Temporal says of builds.
  if (path.includes('indexedFields') || path.includes('searchAttributes')) {
    const values = Array.isArray(value) ? value : [value];
    return values.every((item) => typeof item === 'string' && TOKEN.test(item)) ? null : path;
  }
  return refuse(value) === null ? null : `${path}: ${JSON.stringify(value)}`;
}

/** Every text of a history that is no token, and every payload that our grammar does not admit. */
export function outsideTheGrammar(history: unknown): string[] {
  const payloads = new Map<string, PayloadShape>();
  payloadsIn(history, '', payloads);
  const refusedPayloads = [...payloads].flatMap(
    ([path, payload]) => payloadProblem(path, payload) ?? [],
  );
  const refusedTexts = [...leavesOf(history)].flatMap(({ path, value }) =>
    typeof value !== 'string' || TOKEN.test(value) || isSafeText(value) ? [] : `${path}: ${value}`,
  );
  return [...refusedPayloads, ...refusedTexts];
}
