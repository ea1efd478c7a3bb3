/** Observations sent over HTTP by kept connections, each of which waits for its answer before it sends the next. */
import autocannon from 'autocannon';
import type { LoadedStack } from './stack.ts';
import type { LoadObservation } from './observations.ts';

export interface HttpLoad {
  readonly accepted: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface HttpLoadOptions {
  readonly clients: number;
  /** How long to send; or `amount`, how many to send. */
  readonly seconds?: number;
  readonly amount?: number;
}

/** Throws when any answer is not 202. */
export async function sendObservations(
  stack: LoadedStack,
  next: () => LoadObservation,
  { clients, seconds, amount }: HttpLoadOptions,
): Promise<HttpLoad> {
  const startedAt = performance.now();
  const result = await autocannon({
    url: `${stack.url}/api/v1/ingest`,
    connections: clients,
    ...(amount === undefined ? { duration: seconds ?? 5 } : { amount }),
    requests: [
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${stack.apiKey}`,
          'content-type': 'application/json',
        },
        setupRequest: (request) => ({ ...request, body: JSON.stringify(next()) }),
      },
    ],
  });
  const tookSeconds = (performance.now() - startedAt) / 1000;
  const refused = result.non2xx + result.errors + result.timeouts;
  if (refused > 0) throw new Error(`${refused} of ${result['2xx']} observations were not accepted`);
  return {
    accepted: result['2xx'],
    perSecond: result['2xx'] / tookSeconds,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}
