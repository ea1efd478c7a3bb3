/** What a request to extract from an observation again does to its anchor. */
import type { FailureStatus } from '../error-class.ts';

export type AnchorStatus = FailureStatus | 'pending' | 'completed';

/**
 * `reset` an anchor that waits for an operator; `ring` again, whatever the status by now, for one that a request
 * reset without its ring being heard (`isUnheard`); `refuse` every other.
 */
export function requeueStep(status: AnchorStatus, isUnheard: boolean): 'reset' | 'ring' | 'refuse' {
  if (status === 'repairable' || status === 'terminal') return 'reset';
  return isUnheard ? 'ring' : 'refuse';
}
