/**
 * What an operator sees in Temporal's own user interface, read through the API that feeds it: every execution
 * can be filtered by lane, kind, account and build, and tells its work in counts.
 */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { testServers } from '../support/environment.ts';
import { SERVERS_MS, eventually } from '../support/patience.ts';
import { startOwnService, type OwnService } from '../support/service.ts';
import { syntheticConversation } from '../support/conversation.ts';

const COUNTS = /^[a-z_]+=\d+(\/[a-z_]+=\d+)*$/;
const OBSERVATIONS = 12;
const METADATA_QUERY = '__temporal_workflow_metadata';

/** A value as the API shows it: base64 of JSON. */
const payload = z
  .object({ data: z.string() })
  .transform(({ data }): unknown => JSON.parse(Buffer.from(data, 'base64').toString('utf8')));

const execution = z.object({ workflowId: z.string(), runId: z.string() });
const listed = z.object({
  execution,
  type: z.object({ name: z.string() }),
  searchAttributes: z.object({ indexedFields: z.record(z.string(), payload) }),
});
const listAnswer = z.object({
  executions: z.array(listed).default([]),
  nextPageToken: z.string().nullish(),
});
const details = z.object({
  executionConfig: z.object({ userMetadata: z.object({ summary: payload, details: payload }) }),
});
const metadataAnswer = z.object({
  queryResult: z.object({ payloads: z.array(payload) }),
});
const currentDetails = z.object({ currentDetails: z.string() });

const namespace = `view-${randomBytes(4).toString('hex')}`;
let service: OwnService;

function api(path: string): string {
  return `${testServers().temporalUiUrl}/api/v1/namespaces/${namespace}${path}`;
}

async function read(path: string): Promise<unknown> {
  const response = await fetch(api(path));
  expect(response.status).toBe(200);
  return response.json();
}

function pathOf({ workflowId, runId }: z.infer<typeof execution>, suffix = ''): string {
  return `/workflows/${encodeURIComponent(workflowId)}${suffix}?execution.runId=${runId}`;
}

async function listExecutions(query = ''): Promise<z.infer<typeof listed>[]> {
  const suffix = query === '' ? '' : `?query=${encodeURIComponent(query)}`;
  const answer = listAnswer.parse(await read(`/workflows${suffix}`));
  expect(answer.nextPageToken ?? '').toBe('');
  return answer.executions;
}

/** The page asks the workflow itself; a query is a POST, which wants the token of the page's cookie. */
async function readCurrentDetails(of: z.infer<typeof execution>): Promise<string> {
  const settings = await fetch(`${testServers().temporalUiUrl}/api/v1/settings`);
  await settings.body?.cancel();
  const cookie = settings.headers.getSetCookie().find((line) => line.startsWith('_csrf='));
  const pair = cookie?.split(';', 1)[0] ?? '';
  const response = await fetch(api(pathOf(of, `/query/${METADATA_QUERY}`)), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      cookie: pair,
      'x-csrf-token': pair.slice('_csrf='.length),
    },
    body: JSON.stringify({ execution: of, query: { queryType: METADATA_QUERY } }),
  });
  expect(response.status).toBe(200);
  const { queryResult } = metadataAnswer.parse(await response.json());
  return currentDetails.parse(queryResult.payloads[0]).currentDetails;
}

beforeAll(async () => {
  service = await startOwnService({ TEMPORAL_NAMESPACE: namespace });
  const { token } = await service.home.agent('relay');
  for (const turn of syntheticConversation(OBSERVATIONS)) {
    await service.ingestAndWait(token, {
      peer_key: turn.speaker,
      session_id: turn.sessionId,
      occurred_at: turn.occurredAt,
      content: turn.content,
    });
  }
});

afterAll(() => service?.close(), SERVERS_MS);

test('both kinds of actors are listed, each with the four attributes', async () => {
  // The list is filled a moment after the executions are there.
  const kindsOf = (listed: Awaited<ReturnType<typeof listExecutions>>): string[] =>
    [...new Set(listed.map(({ type }) => type.name))].toSorted();
  const executions = await eventually(async () => {
    const listed = await listExecutions();
    return kindsOf(listed).length >= 2 && listed;
  });
  expect(kindsOf(executions)).toEqual(['ingestActor', 'projectionActor']);
  for (const { type, searchAttributes } of executions) {
    const ingests = type.name === 'ingestActor';
    expect(searchAttributes.indexedFields).toMatchObject({
      Lane: ingests ? 'ingest' : 'projection',
      RunKind: ingests ? 'extraction' : 'projection_refresh',
      AccountRef: service.home.id,
      BuildSha: expect.stringMatching(/^([0-9a-f]{7,40}|dev)$/),
    });
  }
});

test('the attributes filter the list', async () => {
  const all = await listExecutions();
  const extracting = await listExecutions(`RunKind = "extraction"`);
  expect(extracting.length).toBeGreaterThan(0);
  expect(extracting.length).toBeLessThan(all.length);
  expect(extracting.every(({ type }) => type.name === 'ingestActor')).toBe(true);
  expect(await listExecutions(`AccountRef = "${service.other.id}"`)).toEqual([]);
});

/** Units done, by type of actor, as the current details of all executions tell. */
async function readWork(): Promise<Readonly<Record<string, number>>> {
  const worked: Record<string, number> = {};
  for (const { execution: of, type } of await listExecutions()) {
    const current = await readCurrentDetails(of);
    expect(current).toMatch(COUNTS);
    expect(current).toMatch(/\/failed=0(\/|$)/);
    const ok = Number(/(?:^|\/)ok=(\d+)/.exec(current)?.[1]);
    worked[type.name] = (worked[type.name] ?? 0) + ok;
  }
  return worked;
}

test('summary and details of every execution are counts', async () => {
  for (const { execution: of } of await listExecutions()) {
    const { userMetadata } = details.parse(await read(pathOf(of))).executionConfig;
    expect(userMetadata.summary).toMatch(COUNTS);
    expect(userMetadata.details).toMatch(COUNTS);
  }
});

test('the current details count the observations that were worked on', async () => {
  // A drain reports when it ends, a little after its last observation is completed.
  const work = await eventually(async () => {
    const told = await readWork();
    const isTold =
      Number(told['ingestActor']) >= OBSERVATIONS && Number(told['projectionActor']) > 0;
    return isTold && told;
  });
  expect(work['ingestActor']).toBe(OBSERVATIONS);
});
