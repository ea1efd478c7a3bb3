/** Asks Temporal beside the service. */
import type { Client } from '@temporalio/client';
import { openActorClient } from '../../../runtime/actors/connection.ts';

const ANSWER_WITHIN_MS = 2_000;

export type AskTemporal = <T>(ask: (client: Client) => Promise<T>) => Promise<T>;

/** Each question has a connection of its own, because the server may have been away since the last one. */
export function temporalAt(address: string, namespace: string): AskTemporal {
  return async (ask) => {
    const client = openActorClient({ address, namespace, identity: 'test' });
    try {
      const deadline = Date.now() + ANSWER_WITHIN_MS;
      return await client.connection.withDeadline(deadline, () => ask(client));
    } finally {
      await client.connection.close();
    }
  };
}
