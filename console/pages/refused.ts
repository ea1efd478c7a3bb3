/** The refusals that a page shows itself. */
import { isUuid } from '../../domain/workflow-history/safe-text.ts';
import { Refusal } from '../../domain/errors.ts';
import type { Problem } from '../design/page.ts';

/** For `catch`: the problem with the parameters of an address, for the page to show. Throws every other error. */
export function asProblem(error: unknown): Problem {
  if (!(error instanceof Refusal) || error.code !== 'invalid_request') throw error;
  return { code: error.code, fields: error.fields ?? [], retryAfterSeconds: null };
}

/** The id in an address. An id that names nothing is `not_found`, whatever its form. */
export function idIn(params: Readonly<Record<string, string>>, name = 'id'): string {
  const text = params[name] ?? '';
  if (!isUuid(text)) throw new Refusal('not_found');
  return text;
}
