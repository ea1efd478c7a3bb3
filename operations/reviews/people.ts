/** People as items name them. */
import { z } from 'zod';

export const namedPeer = z
  .object({ key: z.string(), name: z.string() })
  .meta({ id: 'PeerName', description: 'A person or an agent by key and name.' });
export type PeerName = z.input<typeof namedPeer>;

/** Null where the peer is not known any more. */
export function peerOf(key: string | null, name: string | null): PeerName | null {
  return key === null || name === null ? null : { key, name };
}

export const peopleCount = z.object({ count: z.int().min(0), is_capped: z.boolean() }).meta({
  id: 'PeopleCount',
  description: 'A number of people and agents. If `is_capped` is true, there are more.',
});
