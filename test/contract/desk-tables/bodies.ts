/** What a decision sends beside the item's id. */
import type { Action } from './actions.ts';
import type { Target } from './desk.ts';

export function decisionBody(
  does: Action['does'],
  { intoId, newText }: Pick<Target, 'intoId' | 'newText'>,
): Readonly<Record<string, unknown>> {
  const version = 1;
  if (does === 'merge') return { version, into: intoId };
  if (does === 'edit') return { version, statement: newText };
  if (does === 'edit and approve') return { version, statement: newText, approve: true };
  return { version };
}
