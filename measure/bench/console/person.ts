/** Somebody who has signed in at the console, over one kept connection. */
import { Agent, request } from 'node:http';
import type { LoadedStack } from '../load/stack.ts';

export interface Login {
  readonly email: string;
  readonly password: string;
}

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

type Send = (method: string, path: string, form: URLSearchParams | null) => Promise<Sent>;

/** Sends requests with the cookies that earlier answers set. */
function browserOf(url: string, agent: Agent): Send {
  const jar = new Map<string, string>();
  const keep = (lines: readonly string[]): void => {
    for (const line of lines) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
  };
  return async (method, path, form) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const ofForm = { origin: url, 'content-type': 'application/x-www-form-urlencoded' };
    const headers = { cookie, ...(form === null ? {} : ofForm) };
    const { promise, reject, resolve } = Promise.withResolvers<Sent>();
    const sent = request(`${url}${path}`, { agent, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { statusCode: status = 0, headers: got } = answer;
        resolve({ status, cookies: got['set-cookie'] ?? [], text });
      });
    });
    sent.once('error', reject);
    sent.end(form?.toString());
    const answered = await promise;
    keep(answered.cookies);
    return answered;
  };
}

/** Signs the person in through the form. */
export async function signIn({ url }: LoadedStack, { email, password }: Login): Promise<Person> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = browserOf(url, agent);
  const page = await send('GET', '/sign-in', null);
  const [, csrf = ''] = /name="_csrf" value="([^"]*)"/.exec(page.text) ?? [];
  const form = new URLSearchParams({ _csrf: csrf, email, password });
  const { status } = await send('POST', '/sign-in', form);
  if (status !== 303) throw new Error(`the sign-in answered ${status}`);
  return {
    async open(path) {
      const shown = await send('GET', path, null);
      if (shown.status !== 200) throw new Error(`${path} answered ${shown.status}`);
      return shown.text;
    },
    close: () => agent.destroy(),
  };
}
