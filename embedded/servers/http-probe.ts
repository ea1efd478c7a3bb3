/** One GET on loopback, for readiness. Its connection is closed after the answer. */
import { get } from 'node:http';

/** The status code of the answer. Rejects when there is no answer. */
export function httpStatus(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = get(
    url,
    { agent: false, headers: { ...headers, connection: 'close' }, signal },
    (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () => resolve(answer.statusCode ?? 0));
    },
  );
  request.once('error', reject);
  return promise;
}
