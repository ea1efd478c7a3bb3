/**
 * The Temporal client of a process. It connects on first use, so that everything else boots and works while
 * Temporal is away, and finds a server that comes back within two seconds.
 */
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

type Interceptor = ReturnType<typeof makeGrpcRetryInterceptor>;

const LONGEST_RETRY_MS = 1_000;

/**
 * The SDK's own retries, made to end before the connection does. By default their timers outlive the connection. A
 * retry on a closed channel then throws an error that no code catches, and a process that stops while Temporal is away
 * would crash. Closing waits until a count of the retries is zero, not for a time: on a busy machine a timer may fire
 * later than any time allowed for it.
 */
function boundedRetries() {
  const defaults = defaultGrpcRetryOptions();
  const noneLeft = Promise.withResolvers<void>();
  let ending = false;
  let waiting = 0;
  const retrying = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !ending && defaults.retryableDecider(attempt, status),
    delayFunction(attempt, status) {
      waiting += 1;
      return Math.min(LONGEST_RETRY_MS, defaults.delayFunction(attempt, status));
    },
  });
  const interceptor: Interceptor = (options, nextCall) => {
    let isRetry = false;
    return retrying(options, (given) => {
      if (isRetry) waiting -= 1;
      isRetry = true;
      if (ending && waiting === 0) noneLeft.resolve();
      return nextCall(given);
    });
  };
  return {
    interceptor,
    /** Stops further retries from being planned and waits for the planned ones. */
    async end(): Promise<void> {
      ending = true;
      if (waiting > 0) await noneLeft.promise;
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
