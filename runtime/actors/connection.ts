/**
 * The Temporal client of a process. It connects on first use, so that everything else boots and works while
 * Temporal is away, and finds a server that comes back within two seconds.
 */
import { Client, Connection } from '@temporalio/client';
import { clientInterceptor, scheduleInterceptor } from '../temporal/client-interceptor.ts';
import { dataConverter } from '../temporal/data-converter.ts';

export interface ActorConnectionOptions {
  /** host:port */
  readonly address: string;
  readonly namespace: string;
  /** How operators see this process in histories, for example `api-1`. Never a host name. */
  readonly identity: string;
}

/** A client with the converters and the interceptor of this program. Sends nothing yet. */
export function openActorClient(options: ActorConnectionOptions): Client {
  const connection = Connection.lazy({
    address: options.address,
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 250,
      'grpc.min_reconnect_backoff_ms': 250,
      'grpc.max_reconnect_backoff_ms': 1_000,
    },
  });
  return new Client({
    connection,
    namespace: options.namespace,
    identity: options.identity,
    dataConverter,
    interceptors: { workflow: [clientInterceptor], schedule: [scheduleInterceptor] },
  });
}
