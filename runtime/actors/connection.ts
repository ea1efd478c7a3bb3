/**
 * The Temporal client of a process. It connects on first use, so that everything else boots and works while
 * Temporal is away, and finds a server that comes back within two seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
} from '@temporalio/client';
import { clientInterceptor, scheduleInterceptor } from '../temporal/client-interceptor.ts';
import { dataConverter } from '../temporal/data-converter.ts';

export interface ActorConnectionOptions {
  /** host:port */
  readonly address: string;
  readonly namespace: string;
  /** How operators see this process in histories, for example `api-1`. Never a host name. */
  readonly identity: string;
}

const LONGEST_RETRY_MS = 1_000;

/**
 * The SDK's own retries, which end before the connection does. Left alone they are timers that outlive it, and a
 * retry on a closed channel throws where nobody catches: a process that stops while Temporal is away would die.
 */
function boundedRetries() {
  const defaults = defaultGrpcRetryOptions();
  let ending = false;
  let lastRetryAt = 0;
  return {
    interceptor: makeGrpcRetryInterceptor({
      retryableDecider: (attempt, status) => !ending && defaults.retryableDecider(attempt, status),
      delayFunction(attempt, status) {
        const ms = Math.min(LONGEST_RETRY_MS, defaults.delayFunction(attempt, status));
        lastRetryAt = Math.max(lastRetryAt, performance.now() + ms);
        return ms;
      },
    }),
    /** Lets no further retry begin and waits for the last that will. */
    async end(): Promise<void> {
      ending = true;
      const ms = lastRetryAt - performance.now();
      if (ms > 0) await sleep(ms + 10);
    },
  };
}

/** A client with the converters and the interceptor of this program. Sends nothing yet. */
export function openActorClient(options: ActorConnectionOptions): Client {
  const retries = boundedRetries();
  const connection = Connection.lazy({
    address: options.address,
    interceptors: [retries.interceptor],
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 250,
      'grpc.min_reconnect_backoff_ms': 250,
      'grpc.max_reconnect_backoff_ms': 1_000,
    },
  });
  const close = connection.close.bind(connection);
  connection.close = async () => {
    await retries.end();
    await close();
  };
  return new Client({
    connection,
    namespace: options.namespace,
    identity: options.identity,
    dataConverter,
    interceptors: { workflow: [clientInterceptor], schedule: [scheduleInterceptor] },
  });
}
