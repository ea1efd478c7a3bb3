/** Calls of tools over HTTP, one message each, without any client. */
import { send, type HttpAnswer, type HttpCall } from './http.ts';

export const BOTH = 'application/json, text/event-stream';

export type Content = Readonly<Record<string, unknown>>;

export interface Called {
  readonly isError: boolean;
  /** The structured content, which the text repeats. */
  readonly content: Content;
}

export const toolCall = (name: unknown, args: unknown, id: string | number = 1): object => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});

export function post(
  url: string,
  token: string | null,
  json: unknown,
  headers: HttpCall['headers'] = {},
): Promise<HttpAnswer> {
  return send(url, {
    path: '/mcp',
    json,
    headers: { accept: BOTH, ...headers },
    ...(token === null ? {} : { token }),
  });
}

/** The one message of an answer, as JSON or as the last event of a stream. */
export function messageOf({ headers, text }: HttpAnswer): Content {
  if (headers['content-type']?.startsWith('text/event-stream') !== true) return JSON.parse(text);
  const events = [...text.matchAll(/^data: (.*)$/gm)];
  return JSON.parse(events.at(-1)?.[1] ?? '');
}

export function calledOf(answer: HttpAnswer): Called {
  const result = Object(messageOf(answer)['result']);
  const [text] = Array.isArray(result.content) ? result.content : [];
  const content: Content = Object(result.structuredContent);
  if (JSON.stringify(content) !== text?.text) throw new Error(`two contents: ${answer.text}`);
  return { isError: result.isError === true, content };
}

/** Calls a tool and answers its result. Throws for an answer that is none. */
export async function callTool(
  url: string,
  token: string,
  name: string,
  args: unknown,
): Promise<Called> {
  return calledOf(await post(url, token, toolCall(name, args)));
}
