/**
 * Places for large bodies. A document is held in memory from its first byte to its answer, so a process takes in only a
 * few at a time. An account has one place, so that places are left for other accounts; a caller that may not submit
 * documents has none.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../domain/errors.ts';
import { isMemberSomewhere } from '../../domain/identity/caller.ts';
import { watchCaller } from '../caller-watch.ts';
import type { ApiMiddleware } from '../context.ts';

/** Large bodies that a process takes in at a time. */
export const MOST_LARGE_BODIES = 4;
/** The same for one account. */
const MOST_LARGE_BODIES_OF_ACCOUNT = 1;
/** Requests that wait for a place; nothing of their bodies is read meanwhile. */
export const MOST_WAITING = 32;
/** The same for one account. */
export const MOST_WAITING_OF_ACCOUNT = 4;
/** How long a request waits, in milliseconds. */
export const LONGEST_WAIT_MS = 10_000;
const RETRY_AFTER_SECONDS = 2;

interface Waiting {
  readonly accountId: string;
  readonly enter: () => void;
}

const busy = (): Refusal => new Refusal('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });

/** The places of a process, and the line before them. */
export class Places {
  readonly #insideOf = new Map<string, number>();
  readonly #line: Waiting[] = [];
  readonly #longestWaitMs: number;
  #inside = 0;

  constructor(longestWaitMs = LONGEST_WAIT_MS) {
    this.#longestWaitMs = longestWaitMs;
  }

  /**
   * Takes a place; call the result to leave it. Throws `unavailable` when the line is full or the wait is too long, and a
   * refusal that the signal is aborted with.
   */
  async enter(accountId: string, signal: AbortSignal): Promise<() => void> {
    if (!this.#isFree(accountId)) await this.#wait(accountId, signal);
    else this.#take(accountId);
    return () => this.#leave(accountId);
  }

  #isFree(accountId: string): boolean {
    const ofAccount = this.#insideOf.get(accountId) ?? 0;
    return this.#inside < MOST_LARGE_BODIES && ofAccount < MOST_LARGE_BODIES_OF_ACCOUNT;
  }

  #take(accountId: string): void {
    this.#inside += 1;
    this.#insideOf.set(accountId, (this.#insideOf.get(accountId) ?? 0) + 1);
  }

  #leave(accountId: string): void {
    this.#inside -= 1;
    const left = (this.#insideOf.get(accountId) ?? 0) - 1;
    if (left > 0) this.#insideOf.set(accountId, left);
    else this.#insideOf.delete(accountId);
    // The first request in line enters that belongs to an account with a free place.
    const next = this.#line.findIndex((waiting) => this.#isFree(waiting.accountId));
    const [served] = next === -1 ? [] : this.#line.splice(next, 1);
    if (served === undefined) return;
    this.#take(served.accountId);
    served.enter();
  }

  async #wait(accountId: string, signal: AbortSignal): Promise<void> {
    const ofAccount = this.#line.filter((waiting) => waiting.accountId === accountId).length;
    if (this.#line.length >= MOST_WAITING || ofAccount >= MOST_WAITING_OF_ACCOUNT) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { accountId, enter: resolve };
    this.#line.push(waiting);
    const giveUp = (): void => {
      const at = this.#line.indexOf(waiting);
      if (at !== -1) this.#line.splice(at, 1);
      // No effect on a request that was let in already.
      reject(signal.reason instanceof Refusal ? signal.reason : busy());
    };
    const timer = setTimeout(giveUp, this.#longestWaitMs);
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    }
  }
}

/** Whether the request says that its body is large, or gives no length. */
export function isLargeBody(headers: IncomingHttpHeaders, largeFromBytes: number): boolean {
  return (
    headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > largeFromBytes
  );
}

/**
 * Lets in a request with a large body, or with a body of unknown length, when there is a place for it. When there is
 * none, the request waits in a bounded line. Stands behind authentication.
 */
export function largeBodies(places: Places, largeFromBytes: number): ApiMiddleware {
  return async function largeBodies(ctx, next) {
    const { caller } = ctx.state;
    if (!isLargeBody(ctx.req.headers, largeFromBytes)) return next();
    if (caller === null) throw new Refusal('unauthorized');
    if (!isMemberSomewhere(caller)) throw new Refusal('forbidden');
    const gone = new AbortController();
    const leftEarly = (): void => gone.abort();
    ctx.res.once('close', leftEarly);
    const stopWatching = watchCaller(
      async () => ctx.state.resolveCaller?.(),
      (refusal) => gone.abort(refusal),
    );
    const leave = await places.enter(caller.accountId, gone.signal).finally(stopWatching);
    try {
      await next();
    } finally {
      leave();
    }
  };
}
