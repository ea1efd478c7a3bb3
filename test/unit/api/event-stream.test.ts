/** An answer as a stream of events, over a connection of its own. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import Koa from 'koa';
import type { ApiState } from '../../../api/context.ts';
import { streamEvents, type Emit } from '../../../api/rest/event-stream.ts';
import { Refusal } from '../../../domain/errors.ts';
import { eventually } from '../../support/patience.ts';
import { serve, type TestHttp } from '../../support/http.ts';

let http: TestHttp | undefined;
const failures: unknown[] = [];

afterEach(async () => {
  await http?.close();
  failures.length = 0;
});

async function answering(work: (emit: Emit) => Promise<unknown>, commentEveryMs = 60_000) {
  const app = new Koa<ApiState>();
  app.silent = true;
  app.use(async (ctx, next) => {
    try {
      await next();
    } catch {
      ctx.status = 418;
    }
  });
  app.use((ctx) =>
    streamEvents(
      ctx,
      work,
      (error) => {
        failures.push(error);
        return error instanceof Refusal ? error : new Refusal('internal_error');
      },
      commentEveryMs,
    ),
  );
  http = await serve(app);
  return http;
}

describe('a stream of events', () => {
  test('sends what is emitted, then the answer, each in a line of data', async () => {
    const server = await answering(async (emit) => {
      emit('evidence', { text: 'two\nlines' });
      await sleep(20);
      return { data: 1 };
    });
    const { headers, status, text } = await server.call({ path: '/' });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toBe(
      'event: evidence\ndata: {"text":"two\\nlines"}\n\nevent: answer\ndata: {"data":1}\n\n',
    );
  });

  test('keeps the connection with comments while the work goes on', async () => {
    const { promise: workEnds, resolve: endWork } = Promise.withResolvers<object>();
    const { url } = await answering(() => workEnds, 10);
    const { body } = await fetch(url);
    let text = '';
    for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += part;
      // The work lasts until the reader has seen two of them, however busy the machine is.
      if ((text.match(/^:$/gmu)?.length ?? 0) >= 2) endWork({});
    }
    expect(text).toMatch(/^(?::\n\n){2,}event: answer\ndata: \{\}\n\n$/u);
  });

  test('tells a failure after the first event in the one shape of errors', async () => {
    const server = await answering(async (emit) => {
      emit('evidence', {});
      throw new Refusal('unauthorized');
    });
    const { text } = await server.call({ path: '/' });
    const last = text.split('\n\n').at(-2)?.split('\n') ?? [];
    expect(last[0]).toBe('event: error');
    expect(JSON.parse(last[1]?.slice('data: '.length) ?? '')).toEqual({
      error: expect.any(String),
      code: 'unauthorized',
    });
  });

  test('never begins where the work fails before its first event', async () => {
    const server = await answering(async () => {
      await sleep(5);
      throw new Refusal('forbidden');
    });
    expect((await server.call({ path: '/' })).status).toBe(418);
    expect(failures).toEqual([]);
  });

  test('may be left by its reader while the work goes on', async () => {
    let isDone = false;
    const { url } = await answering(async (emit) => {
      emit('evidence', {});
      await sleep(100);
      emit('evidence', {});
      isDone = true;
      return {};
    });
    const leaving = new AbortController();
    const response = await fetch(url, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await eventually(() => isDone);
    await sleep(20);
    expect(failures).toEqual([]);
  });
});
