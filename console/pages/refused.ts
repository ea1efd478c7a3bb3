/** What of a refusal a page shows by itself. */
import { isUuid } from '../../domain/actors/safe-text.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Problem } from '../page.ts';

/** For `catch`: what was wrong with the parameters of an address, for the page to show; throws everything else. */
export function asProblem(error: unknown): Problem {
  if (!(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
  return { code: error.code, fields: error.fields ?? [], retryAfterSeconds: null };
}

/** The id in an address. One that names nothing, whatever it looks like, is not found. */
export function idIn(params: Readonly<Record<string, string>>, name = 'id'): string {
  const text = params[name] ?? '';
  if (!isUuid(text)) throw new Refusal('not_found');
  return text;
}
