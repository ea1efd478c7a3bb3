/** A person who has signed in at the console, over one kept connection. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'node:http';
import { z } from 'zod';
import type { LoadedStack } from '../load/stack.ts';

const credentials = z.object({ admin: z.object({ email: z.string(), password: z.string() }) });

interface Sent {
  readonly status: number;
  readonly cookies: readonly string[];
  readonly text: string;
}

export interface Person {
  /** Opens a page, whole. Throws, with path and status, on anything but 200. */
  open(path: string): Promise<string>;
  close(): void;
}

/** Signs the first administrator in through the form. */
export async function signIn({ path: directory, url }: LoadedStack): Promise<Person> {
  const file = join(directory, '.vouch', 'credentials.json');
  const { admin } = credentials.parse(JSON.parse(readFileSync(file, 'utf8')));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const jar = new Map<string, string>();
  const send = (method: string, path: string, body: string | null): Promise<Sent> => {
    const headers = {
      cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      ...(body === null
        ? {}
        : { origin: url, 'content-type': 'application/x-www-form-urlencoded' }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { agent, method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.once('error', reject);
        answer.once('end', () => {
          resolve({
            status: answer.statusCode ?? 0,
            cookies: answer.headers['set-cookie'] ?? [],
            text: Buffer.concat(chunks).toString('utf8'),
          });
        });
      });
      sent.once('error', reject);
      sent.end(body ?? undefined);
    });
  };
  const keep = ({ cookies }: Sent): void => {
    for (const line of cookies) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
  };
  const form = await send('GET', '/sign-in', null);
  keep(form);
  const [, csrf = ''] = /name="_csrf" value="([^"]*)"/.exec(form.text) ?? [];
  const { email, password } = admin;
  const body = new URLSearchParams({ _csrf: csrf, email, password }).toString();
  const signedIn = await send('POST', '/sign-in', body);
  if (signedIn.status !== 303) throw new Error(`the sign-in answered ${signedIn.status}`);
  keep(signedIn);
  return {
    async open(path) {
      const { status, text } = await send('GET', path, null);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      return text;
    },
    close: () => agent.destroy(),
  };
}
