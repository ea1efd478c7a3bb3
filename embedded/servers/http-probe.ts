/** One GET on loopback, for readiness. Its connection is closed after the answer. */
import { get } from 'node:http';

/**
 * Whether the server takes this key and no other: then it was started with it, for it is a secret of this installation. A
 * server without keys takes any. Rejects when there is no answer.
 */
export async function takesOnly(
  url: string,
  headersOf: (key: string) => Readonly<Record<string, string>>,
  key: string,
  signal: AbortSignal,
): Promise<boolean> {
  const takes = (one: string) => answersOk(url, headersOf(one), signal);
  return (await takes(key)) && !(await takes(`not-${key}`));
}

/** Whether the answer has the status 200. Rejects when there is no answer. */
export function answersOk(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const request = get(
    url,
    { agent: false, headers: { ...headers, connection: 'close' }, signal },
    (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () => resolve(answer.statusCode === 200));
    },
  );
  request.once('error', reject);
  return promise;
}
