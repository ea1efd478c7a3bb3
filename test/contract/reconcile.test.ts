/** `POST /api/v1/operations/reconcile`, for administrators and for other callers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { HttpAnswer } from '../support/http.ts';
import { eventually } from '../support/patience.ts';
import {
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type OwnService,
} from '../support/service.ts';
import { refusal } from './answers.ts';

const PATH = '/api/v1/operations/reconcile';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let service: OwnService;
let boss: string;

beforeAll(async () => {
  service = await startOwnService();
  boss = (await service.home.agent('boss', { role: 'account_admin' })).token;
});
afterAll(() => closeWithoutErrors(service));

function ask(token: string | null, headers: Readonly<Record<string, string>> = {}) {
  const credential = token === null ? {} : { token };
  return service.call({ method: 'POST', path: PATH, headers, ...credential });
}

const runOf = (answer: HttpAnswer) => String(dataOf(answer)['run_id']);

async function runs(): Promise<number> {
  const [row] = await service.rows(
    `select count(*)::integer as n from pipeline_runs where kind = 'reconcile'`,
  );
  return Number(row?.['n']);
}

async function untilCompleted(runId: string): Promise<void> {
  await eventually(async () => {
    const [row] = await service.rows('select status from pipeline_runs where id = $1', [runId]);
    return row?.['status'] === 'completed';
  });
}

describe('an administrator', () => {
  test('gets 202 with a run, and the run is carried out', async () => {
    const answer = await ask(boss);
    expect(answer.status).toBe(202);
    expect(answer.json()).toEqual({
      data: { run_id: expect.stringMatching(UUID), status: 'accepted' },
    });
    await untilCompleted(runOf(answer));
    const [row] = await service.rows(
      `select r.account_id, r.trace_id, a.action, a.actor_kind from pipeline_runs r
       join audit_events a on a.account_id = r.account_id and a.resource_id = r.id where r.id = $1`,
      [runOf(answer)],
    );
    expect(row).toEqual({
      account_id: service.home.id,
      trace_id: answer.headers['x-trace-id'],
      action: 'reconcile.requested',
      actor_kind: 'credential',
    });
  });

  test('may be a person, and may send a body with unknown fields', async () => {
    const { token } = service.bootstrapToken;
    const plain = await ask(token);
    expect(plain.status).toBe(202);
    await untilCompleted(runOf(plain));
    const withBody = await service.call({ path: PATH, token, json: { scope_path: '/x' } });
    expect(withBody.status).toBe(202);
    await untilCompleted(runOf(withBody));
  });

  test('gets a run of its own each time', async () => {
    const answers = await Promise.all([ask(boss), ask(boss)]);
    expect(new Set(answers.map(runOf)).size).toBe(2);
    // A run that still waits would be joined by the next test.
    for (const answer of answers) await untilCompleted(runOf(answer));
  });

  test('joins a run that waits to begin once three runs wait', async () => {
    const account = service.home.id;
    const waiting = await service.rows(
      `insert into pipeline_runs (account_id, id, kind, trace_id, dispatched_at)
       select $1, gen_random_uuid(), 'reconcile', repeat('0', 32), now() from generate_series(1, 3)
       returning id`,
      [account],
    );
    const ids = waiting.map((row) => row['id']);
    expect(ids).toContain(runOf(await ask(boss)));
    await service.rows(
      `update pipeline_runs set dispatched_at = now() - interval '6 minutes' where id = any($1)`,
      [ids],
    );
    const answer = await ask(boss);
    expect(ids).not.toContain(runOf(answer));
    await service.rows('delete from pipeline_runs where id = any($1)', [ids]);
    await untilCompleted(runOf(answer));
  });
});

describe('a caller that is not an administrator of the whole account', () => {
  test('is 403 as member, as curator, as administrator of a subtree, and with a key pinned to a subtree', async () => {
    const before = await runs();
    const tokens = await Promise.all([
      service.home.agent('member').then(({ token }) => token),
      service.home.agent(null).then(({ token }) => token),
      service.home.person('curator', { role: 'curator' }),
      service.home
        .agent('part', { role: 'account_admin', scope: '/part' })
        .then(({ token }) => token),
      service.home
        .agent('pinned', { role: 'account_admin', pin: '/part' })
        .then(({ token }) => token),
    ]);
    for (const token of tokens) expect(refusal(await ask(token))).toEqual([403, 'forbidden']);
    expect(await runs()).toBe(before);
  });

  test('and is denied at the root is 403', async () => {
    const { token } = await service.home.agent('denied', { role: 'account_admin' });
    await service.home.grant('denied', { scope: '/', effect: 'deny' });
    expect(refusal(await ask(token))).toEqual([403, 'forbidden']);
  });
});

describe('an idempotency key', () => {
  const once = () => ({ 'idempotency-key': randomUUID() });

  test('gives the first run again, also to concurrent requests with the same key', async () => {
    const before = await runs();
    const headers = once();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(boss, headers)));
    answers.push(await ask(boss, headers));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await runs()).toBe(before + 1);
  });

  test('belongs to one credential', async () => {
    const headers = once();
    const mine = await ask(boss, headers);
    const theirs = await ask(service.bootstrapToken.token, headers);
    expect(runOf(theirs)).not.toBe(runOf(mine));
  });

  test('is not kept for a request that is refused', async () => {
    const headers = once();
    const { token } = await service.home.agent('later');
    expect((await ask(token, headers)).status).toBe(403);
    const [row] = await service.rows(
      'select count(*)::integer as n from idempotency_records where key = $1',
      [headers['idempotency-key']],
    );
    expect(row).toEqual({ n: 0 });
  });
});
