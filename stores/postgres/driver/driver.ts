/**
 * Connections of the pool: clients of `pg` that send several statements without waiting in between. The pool's own driver
 * makes the same clients but cannot do that.
 */
import { Client, type ClientConfig, type QueryResult } from 'pg';
import {
  createDriverFactory,
  type DriverClientEventEmitter,
  type DriverConfiguration,
  type DriverFactory,
  type DriverQueryResult,
} from 'slonik';
import { asPoolError } from './errors.ts';
import { holdingBack, type Send, type SentStatement } from './held-back.ts';
import { readingBy } from './types.ts';

/** Milliseconds for `pg`, which has no limit for 0 and none for undefined. */
function limit(timeout: number | 'DISABLE_TIMEOUT'): number | undefined {
  return timeout === 'DISABLE_TIMEOUT' ? undefined : Math.max(1, timeout);
}

function configOf(configuration: DriverConfiguration): ClientConfig {
  return {
    connectionString: configuration.connectionUri,
    connectionTimeoutMillis: limit(configuration.connectionTimeout),
    statement_timeout: limit(configuration.statementTimeout),
    idle_in_transaction_session_timeout: limit(configuration.idleInTransactionSessionTimeout),
    types: readingBy(configuration.typeParsers),
    pipeline: true,
  };
}

function resultOf({ command, fields, rowCount, rows }: QueryResult): DriverQueryResult {
  return {
    // The pool does not look at it.
    command: command as DriverQueryResult['command'],
    fields: fields.map(({ dataTypeID, name }) => ({ dataTypeId: dataTypeID, name })),
    rowCount,
    rows,
  };
}

async function ask(
  client: Client,
  { name, text, values }: SentStatement,
): Promise<DriverQueryResult> {
  try {
    return resultOf(await client.query({ text, ...(values && { values }), ...(name && { name }) }));
  } catch (error) {
    throw asPoolError(error);
  }
}

/** Sends statements in one packet where they fit into one. */
function sending(client: Client): Send {
  return (statements) => {
    const { stream } = client.connection;
    stream.cork();
    try {
      return statements.map((statement) => ask(client, statement));
    } finally {
      stream.uncork();
    }
  };
}

function connectionOf(config: ClientConfig, events: DriverClientEventEmitter) {
  const client = new Client(config);
  const onError = (error: Error): void => {
    events.emit('error', asPoolError(error) as Error);
  };
  const onNotice = ({ message }: { readonly message?: string | undefined }): void => {
    if (message !== undefined) events.emit('notice', { message });
  };
  client.on('error', onError);
  client.on('notice', onNotice);
  const forget = (): void => {
    client.off('error', onError);
    client.off('notice', onNotice);
  };
  const run = holdingBack(sending(client));
  let running = 0;
  return {
    async connect(): Promise<void> {
      try {
        await client.connect();
      } catch (error) {
        forget();
        throw error;
      }
    },
    async end(): Promise<void> {
      const ended = client.end();
      // What a server that does not answer was asked would keep the connection open for ever.
      if (running > 0) client.connection.stream.destroy();
      await ended;
      forget();
    },
    async query(
      text: string,
      values?: unknown[],
      options?: { readonly name?: string },
    ): Promise<DriverQueryResult> {
      running += 1;
      try {
        return await run({ text, values, name: options?.name });
      } finally {
        running -= 1;
      }
    },
    stream(): never {
      throw new TypeError('rows are read at once, never as a stream');
    },
  };
}

/** The driver of the pool. */
export const createPipeliningDriver: () => DriverFactory = () =>
  createDriverFactory(({ driverConfiguration }) => {
    const config = configOf(driverConfiguration);
    return Promise.resolve({
      createPoolClient: ({ clientEventEmitter }) =>
        Promise.resolve(connectionOf(config, clientEventEmitter)),
    });
  });
