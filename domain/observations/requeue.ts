/** What a request to take up an observation again comes to. */
import type { FailureStatus } from '../models/error-class.ts';

export type AnchorStatus = FailureStatus | 'pending' | 'completed';

/**
 * `reset` an anchor that waits for an operator; `ring` again for one that was reset by a request whose ring nobody
 * heard (`isUnheard`), wherever it stands by now; `refuse` every other.
 */
export function requeueStep(status: AnchorStatus, isUnheard: boolean): 'reset' | 'ring' | 'refuse' {
  if (status === 'repairable' || status === 'terminal') return 'reset';
  return isUnheard ? 'ring' : 'refuse';
}
