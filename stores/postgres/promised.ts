/**
 * What a transaction promises. The stores say it where they take something away, so that no use-case can forget it; it is
 * written to the list outside of the database right before the transaction commits, after everything that may refuse it.
 * A list that cannot be written ends the transaction: a promise that cannot be kept is not given.
 */
import type { GivenPromise, Promised } from '../../domain/promises/kinds.ts';
import type { PromiseList } from '../promises/promise-list.ts';
import type { Queryable } from './queryable.ts';

interface Said {
  readonly promised: Promised;
  /** For what knows its own event and time. */
  readonly of: { readonly eventId: string; readonly at: string } | null;
}

interface Gathered {
  readonly accountId: string;
  readonly list: PromiseList | undefined;
  readonly said: Said[];
  /** An event of the audit log that the transaction wrote. */
  eventId: string | null;
  /** The promise of an earlier day that the transaction brings about again. */
  repeated: GivenPromise | null;
}

const gatheredIn = new WeakMap<Queryable, Gathered>();

function gatheredOf(tx: Queryable): Gathered {
  const gathered = gatheredIn.get(tx);
  if (gathered === undefined) throw new TypeError('promises are given in withAccount');
  return gathered;
}

/** Promises it when the transaction commits. */
export function promise(tx: Queryable, promised: Promised, of: Said['of'] = null): void {
  gatheredOf(tx).said.push({ promised, of });
}

/** The keyed hash of a path. A process that keeps no list cannot promise anyway. */
export function promisedPathHash(tx: Queryable, path: string): string {
  const { accountId, list } = gatheredOf(tx);
  return list?.pathHash(accountId, path) ?? '';
}

/** The transaction brings about what was promised before: that line is written again, and none for what it does. */
export function repeating(tx: Queryable, given: GivenPromise): void {
  gatheredOf(tx).repeated = given;
}

/** Tells which event the transaction wrote. */
export function recordedEvent(tx: Queryable, eventId: string): void {
  const gathered = gatheredIn.get(tx);
  if (gathered !== undefined) gathered.eventId ??= eventId;
}

function givenIn({ accountId, eventId, repeated, said }: Gathered): readonly GivenPromise[] {
  if (repeated !== null) return eventId === null ? [] : [repeated];
  const now = new Date().toISOString();
  return said.map(({ of, promised }) => {
    const event = of?.eventId ?? eventId;
    if (event === null) throw new TypeError('what is promised is on the record');
    return { ...promised, account_id: accountId, event_id: event, given_at: of?.at ?? now };
  });
}

/** Runs the work of a transaction, and writes down what it promises. Its commit follows at once. */
export async function keepingPromises<T>(
  tx: Queryable,
  accountId: string,
  list: PromiseList | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const gathered: Gathered = { accountId, list, said: [], eventId: null, repeated: null };
  gatheredIn.set(tx, gathered);
  const done = await work();
  const given = givenIn(gathered);
  if (given.length === 0) return done;
  if (list === undefined) throw new TypeError('this process keeps no list of promises');
  await list.append(given);
  return done;
}
