/** A credential that ends while its request is under way: it neither writes nor is answered. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { disableUser } from '../../operations/identity/user-access.ts';
import { base64 } from '../support/documents.ts';
import { eventually } from '../support/patience.ts';
import {
  closeWithoutErrors,
  dataOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { refusal } from './answers.ts';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => closeWithoutErrors(service));

/** Until every process has heard of it. */
async function untilRefused(token: string): Promise<void> {
  await eventually(async () => (await service.knowledge(token)).status === 401);
}

/** Sends half of a body, calls `meanwhile`, then sends the rest. */
async function sendSlowly(
  path: string,
  token: string,
  json: Body,
  meanwhile: () => Promise<void>,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  const body = Buffer.from(JSON.stringify(json));
  const request = httpRequest(new URL(path, service.url), {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(body.length),
    },
  });
  const answered = once(request, 'response');
  await new Promise<void>((resolve) => {
    request.write(body.subarray(0, 10), () => resolve());
  });
  await meanwhile();
  request.end(body.subarray(10));
  const [response] = (await answered) as [IncomingMessage];
  return { status: response.statusCode, body: await textOf(response) };
}

describe('a key that is revoked while its body is on the way', () => {
  test.each([
    [
      'observation',
      '/api/v1/ingest',
      { session_id: 's', scope_path: '/late', content: 'I live in Bergen.' },
    ],
    [
      'document',
      '/api/v1/documents',
      {
        scope_path: '/late',
        media_type: 'text/markdown',
        content_base64: base64('The mill grinds rye.'),
      },
    ],
  ])('hands in no %s', async (_what, path, json) => {
    const key = await service.home.agent('late');
    const answer = await sendSlowly(path, key.token, json, async () => {
      // In use when it ends: it is remembered for as long as any credential is.
      expect((await service.knowledge(key.token)).status).toBe(200);
      await service.home.revoke(key);
      await untilRefused(key.token);
    });
    const refused = await service.knowledge('none');
    expect([answer.status, answer.body]).toEqual([401, refused.text]);
    const kept = await service.rows(
      `select m.id from messages m where m.account_id = $1
       union all select v.id from document_versions v where v.account_id = $1`,
      [service.home.id],
    );
    expect(kept).toEqual([]);
  });

  test('that is still valid is answered, however slowly its body arrives', async () => {
    const key = await service.home.agent('slow');
    const json = { session_id: 's', scope_path: '/slow', content: 'Hello.' };
    const other = await service.home.agent('other');
    const answer = await sendSlowly('/api/v1/ingest', key.token, json, async () => {
      await service.home.revoke(other);
      await untilRefused(other.token);
    });
    expect(answer.status).toBe(202);
  });
});

describe('a write that waits in the database for longer than a second', () => {
  /** Sends a wish of the person, with its row held, until `meanwhile` is through and the second has passed. */
  async function waitingWish(token: string, meanwhile: () => Promise<unknown>) {
    const wish = (max_per_day: number) =>
      service.call({
        method: 'PUT',
        path: '/api/v1/self/ask-preference',
        token,
        json: { max_per_day },
      });
    expect((await wish(7)).status).toBe(200);
    await service.rows('begin');
    await service.rows('select from ask_preferences where account_id = $1 for update', [
      service.home.id,
    ]);
    const answer = wish(2);
    await meanwhile();
    await sleep(1_200);
    await service.rows('commit');
    const answered = await answer;
    const kept = await service.rows(
      'select max_per_day from ask_preferences where account_id = $1 order by updated_at desc limit 1',
      [service.home.id],
    );
    return { answer: answered, kept };
  }

  test('is refused, and writes nothing, when the person was disabled meanwhile', async () => {
    const token = await service.home.person('leaver');
    const { answer, kept } = await waitingWish(token, () =>
      service.operate(disableUser, {
        account: service.home.key,
        email: service.home.emailOf('leaver'),
      }),
    );
    expect(refusal(answer)).toEqual([401, 'unauthorized']);
    expect(kept).toEqual([{ max_per_day: 7 }]);
  });

  test('is to be sent again when the rights of the person changed meanwhile', async () => {
    const token = await service.home.person('changed');
    const { answer, kept } = await waitingWish(token, () =>
      service.home.grant(service.home.emailOf('changed'), { scope: '/team', effect: 'deny' }),
    );
    expect(refusal(answer)).toEqual([503, 'unavailable']);
    expect(kept).toEqual([{ max_per_day: 7 }]);
  });

  test('is done when nothing changed', async () => {
    const token = await service.home.person('steady');
    const { answer } = await waitingWish(token, () => Promise.resolve());
    expect(dataOf(answer)['max_per_day']).toBe(2);
  });
});

describe('a caller that waits for a status', () => {
  /** An observation that waits for its next attempt, until `end` is called. */
  async function waiting(token: string) {
    const { messageId } = await service.ingestAndWait(token, { content: 'I live in Oslo.' });
    const put = (status: string) =>
      service.rows(
        `update extraction_anchors set status = $3::extraction_status,
           available_at = now() + interval '1 hour',
           completed_at = case when $3 = 'completed' then now() end,
           last_error_class = case when $3 = 'failed' then 'request_timeout'::error_class end
         where account_id = $1 and message_id = $2`,
        [service.home.id, messageId, status],
      );
    await put('failed');
    return { messageId, end: () => put('completed') };
  }

  test('is refused when its key was revoked meanwhile', async () => {
    const key = await service.home.agent('patient');
    const { messageId, end } = await waiting(key.token);
    const waits = service.status(key.token, messageId, '?wait_ms=10000');
    await service.home.revoke(key);
    await untilRefused(key.token);
    await end();
    expect(refusal(await waits)).toEqual([401, 'unauthorized']);
  });

  test('is answered like for a missing message when it may no longer read the scope', async () => {
    const key = await service.home.agent('leaving');
    const { messageId, end } = await waiting(key.token);
    const waits = service.status(key.token, messageId, '?wait_ms=10000');
    await service.home.grant('leaving', { scope: '/team', effect: 'deny' });
    await eventually(async () => (await service.status(key.token, messageId)).status === 404);
    await end();
    const answer = await waits;
    const missing = await service.status(key.token, '018f0000-0000-7000-8000-000000000001');
    expect([answer.status, answer.text]).toEqual([404, missing.text]);
  });

  test('is answered while it may read it', async () => {
    const key = await service.home.agent('staying');
    const { messageId, end } = await waiting(key.token);
    const waits = service.status(key.token, messageId, '?wait_ms=10000');
    await end();
    expect(dataOf(await waits)['status']).toBe('completed');
  });
});
