/** Requests over kept connections, so that no figure has the time of a connection in it. */
import { request, type Agent } from 'node:http';
import type { LoadedStack } from './stack.ts';

/** Sends the body as the agent of the start. Throws, with path and status, on anything but 200. */
export function post(
  agent: Agent,
  { apiKey, url }: LoadedStack,
  path: string,
  body: object,
): Promise<unknown> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${url}${path}`,
      {
        agent,
        method: 'POST',
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          if (answer.statusCode !== 200) reject(new Error(`${path} answered ${answer.statusCode}`));
          else resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')));
        });
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}
