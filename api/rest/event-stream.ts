/**
 * The answer of an operation as a stream of server-sent events: the parts that the operation sends before it is done,
 * then one `answer`, or `error` in the one error shape. A comment now and then keeps proxies from closing the stream.
 * What fails before the first part is answered like any other request.
 */
import { PassThrough } from 'node:stream';
import { errorAnswer } from '../errors.ts';
import type { Refusal } from '../../domain/errors.ts';
import type { ApiContext } from '../context.ts';

export const EVENT_STREAM = 'text/event-stream';
const COMMENT_EVERY_MS = 15_000;

/** Whether the caller prefers a stream of events to one answer. */
export function asksForEvents(ctx: ApiContext): boolean {
  return ctx.accepts('application/json', EVENT_STREAM) === EVENT_STREAM;
}

export type Emit = (event: string, data: unknown) => void;

/** JSON has no line breaks of its own, so the data of an event is one line. */
function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

export interface OpenEvents {
  send: Emit;
  end(): void;
}

/** Answers with a stream of events, at once. */
export function openEvents(ctx: ApiContext, commentEveryMs = COMMENT_EVERY_MS): OpenEvents {
  const body = new PassThrough();
  // The client may have left.
  const write = (text: string): void => void (body.destroyed || body.write(text));
  const comments = setInterval(() => write(':\n\n'), commentEveryMs);
  body.once('close', () => clearInterval(comments));
  answerWith(ctx, body);
  return {
    send: (event, data) => write(frame(event, data)),
    end() {
      clearInterval(comments);
      body.end();
    },
  };
}

function answerWith(ctx: ApiContext, body: PassThrough): void {
  ctx.status = 200;
  ctx.type = EVENT_STREAM;
  // Proxies that gather answers would hold the events back.
  ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
  ctx.body = body;
}

/**
 * Runs `work` and answers with the events of it. Returns when the first one is sent; `work` goes on, and its end ends
 * the stream. `refusalOf` turns a failure into the refusal that the client gets, and reports it.
 */
export async function streamEvents(
  ctx: ApiContext,
  work: (emit: Emit) => Promise<unknown>,
  refusalOf: (error: unknown) => Refusal,
  commentEveryMs = COMMENT_EVERY_MS,
): Promise<void> {
  const body = new PassThrough();
  const opened = Promise.withResolvers<void>();
  let isOpen = false;
  const write = (text: string): void => {
    isOpen = true;
    opened.resolve();
    // The client may have left.
    if (!body.destroyed) body.write(text);
  };
  const comments = setInterval(() => write(':\n\n'), commentEveryMs);
  const emit: Emit = (event, data) => write(frame(event, data));
  const answered = async (): Promise<void> => {
    try {
      emit('answer', await work(emit));
    } catch (error) {
      if (!isOpen) throw error;
      emit('error', errorAnswer(refusalOf(error)).body);
    } finally {
      clearInterval(comments);
      body.end();
    }
  };
  await Promise.race([opened.promise, answered()]);
  answerWith(ctx, body);
}
