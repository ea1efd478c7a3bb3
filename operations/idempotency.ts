/** Idempotency keys: whether a repeated request is the same request, and the first answer to it. */
import { createHash } from 'node:crypto';
import { Refusal } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import type { ReservedKey } from '../stores/postgres/idempotency.store.ts';
import type { Stores } from '../stores/postgres/stores.ts';
import type { RequestContext } from './operation.ts';

/** Identity of a parsed request: spellings that mean the same request are the same request. */
export function requestHash(fields: readonly unknown[]): Uint8Array {
  return createHash('sha256').update(JSON.stringify(fields)).digest();
}

/** The status of an answer to accepted work. The work is committed and continues after the answer. */
export const ACCEPTED = 202;

/** The record of an answer: its status, and the row from which the service builds the answer. */
export interface KeyedAnswer {
  readonly status: number;
  readonly resourceId: string;
}

/**
 * Reserves the request's idempotency key for `answer`. Null when the key is new, or the request carries none: the
 * operation then goes on. Else the first answer to the same request. Throws `conflict` if another request used the key.
 */
export async function earlierAnswer(
  { caller, idempotency }: Pick<RequestContext<Caller>, 'caller' | 'idempotency'>,
  stores: Pick<Stores, 'idempotency'>,
  fields: readonly unknown[],
  answer: KeyedAnswer,
): Promise<KeyedAnswer | null> {
  if (idempotency === null) return null;
  const { credentialId } = caller;
  const reserved: ReservedKey = await stores.idempotency.reserve({
    credentialId,
    ...idempotency,
    requestHash: requestHash(fields),
    ...answer,
  });
  if (reserved.outcome === 'conflict') throw new Refusal('conflict');
  return reserved.outcome === 'replayed' ? reserved : null;
}
