/** A request of REST, asked as a call of the tool with the same operation, and its result as the answer of REST. */
import { STATUS_BY_CODE } from '../../api/errors.ts';
import { ROUTES } from '../../api/rest/routes.ts';
import { TOOLS } from '../../api/mcp/tools.ts';
import { calledOf, post, toolCall } from './mcp.ts';
import type { HttpAnswer, HttpCall } from './http.ts';

/** `POST /api/v1/search` for each route whose operation a tool has, with the tool. */
export const TOOL_OF_ROUTE: ReadonlyMap<string, (typeof TOOLS)[number]> = new Map(
  TOOLS.flatMap((tool) => {
    const route = ROUTES.find(({ operation }) => operation === tool.operation);
    return route === undefined ? [] : [[`${route.method} ${route.path}`, tool] as const];
  }),
);

function routeOf({ json, method = json === undefined ? 'GET' : 'POST', path }: HttpCall) {
  const [bare = ''] = path.split('?', 1);
  const route = ROUTES.find((each) => {
    const pattern = new RegExp(`^${each.path.replaceAll(/:[a-z_]+/g, '([^/]+)')}$`);
    return each.method === method && pattern.test(bare);
  });
  if (route === undefined) throw new Error(`no route for ${method} ${bare}`);
  return route;
}

function argumentsOf(call: HttpCall): Record<string, unknown> {
  const route = routeOf(call);
  const url = new URL(call.path, 'http://localhost');
  const read = (name: string, text: string): unknown => {
    const type = route.query?.[name];
    if (type === 'texts') return url.searchParams.getAll(name);
    return type === 'integer' ? Number(text) : text;
  };
  const query = [...url.searchParams].map(([name, text]) => [name, read(name, text)]);
  const names = route.path.split('/');
  const ids = url.pathname
    .split('/')
    .flatMap((part, at) => (names[at]?.startsWith(':') ? [[names[at].slice(1), part]] : []));
  return { ...Object(call.json), ...Object.fromEntries([...query, ...ids]) };
}

function answerOf(status: number, value: unknown, { headers }: HttpAnswer): HttpAnswer {
  const text = JSON.stringify(value);
  return { status, headers, text, bytes: Buffer.from(text), json: () => JSON.parse(text) };
}

/** Asks `/mcp` of the service at `url`. What never became a call (401) is answered as it came. */
export async function askAsTool(url: string, call: HttpCall): Promise<HttpAnswer> {
  const route = routeOf(call);
  const tool = TOOL_OF_ROUTE.get(`${route.method} ${route.path}`);
  if (tool === undefined) throw new Error(`no tool for ${route.path}`);
  const { token = null } = call;
  const all = tool.diagnosed === true ? { diagnostics: true } : {};
  const args = { ...argumentsOf(call), ...all };
  const answer = await post(url, token, toolCall(tool.name, args));
  if (answer.status !== 200) return answer;
  const { content, isError } = calledOf(answer);
  if (isError) {
    const code = String(content['code']) as keyof typeof STATUS_BY_CODE;
    return answerOf(STATUS_BY_CODE[code], content, answer);
  }
  const { pending_validation: question, ...data } = content;
  const beside = question === undefined ? {} : { pending_validation: question };
  const status = typeof route.status === 'number' ? route.status : 200;
  const body = tool.page === true ? { data: data['data'], ...beside } : { data, ...beside };
  return answerOf(status, body, answer);
}
