import type { IncomingMessage } from 'node:http';
import { invalidField } from '../../domain/errors.ts';

export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255;

/**
 * The `Idempotency-Key` of a request, or null without one. A key that is sent twice, empty or too long is refused
 * and not ignored, because its sender relies on it.
 */
export function idempotencyKey(request: IncomingMessage): string | null {
  const given = request.headersDistinct['idempotency-key'];
  if (given === undefined) return null;
  const [key, ...more] = given;
  if (key === undefined || more.length > 0) {
    throw invalidField('idempotency-key', 'must be sent only once');
  }
  return checkedKey(key, 'idempotency-key');
}

/** `key` when it has 1 to 255 characters; else a refusal of the field `path`. */
export function checkedKey(key: string, path: string): string {
  if (key.length < 1 || key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS) {
    throw invalidField(path, `must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} characters`);
  }
  return key;
}
