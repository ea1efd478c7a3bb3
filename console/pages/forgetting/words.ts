/** Words that the pages of requests to forget share. */
import type { OutputOf } from '../../../operations/registry.ts';

/** Below the decisions, because a curator decides. */
export const FORGETTING_PATH = '/governance/forgetting';

export type ShownHold = OutputOf<'listHolds'>['items'][number];

/** Who asked, as the first words of a sentence. */
export const asker = ({ requester_peer_key: key }: ShownHold): string =>
  key ?? 'A person who was erased';

/** What holds now, in one sentence. */
export function whatHolds({ is_acting: isActing, state, value_count: count }: ShownHold): string {
  if (state === 'lifted') return 'Lifted: everything is shown as it was said.';
  if (state === 'upheld') return 'Upheld: nobody but who said it reads it.';
  if (isActing) return 'Until a person decides, nobody but who said it reads it.';
  return count === 0
    ? 'The request names nothing that the service could hide. It waits for you.'
    : 'Nothing is hidden before a person decides, because what it names is not known to be theirs.';
}

export const valueCount = (count: number): string =>
  count === 1 ? 'one value' : `${count} values`;
