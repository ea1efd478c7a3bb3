/** `/mcp`: the tools over streamable HTTP, without sessions, and the metadata that tells clients how to come in. */
import type { Router, RouterContext } from '@koa/router';
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { bodyGuards, type Bounds } from '../bounds.ts';
import type { ApiMiddleware, ApiState } from '../context.ts';
import { authentication, authenticationAgain } from '../middleware/authentication.ts';
import { rateLimit } from '../middleware/rate-limit.ts';
import { requestPace } from '../middleware/request-pace.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { refusalFor } from '../refusing.ts';
import { requestContext } from '../request-context.ts';
import { UNITS_OF_REQUEST } from '../request-pace.ts';
import { EVENT_STREAM, openEvents } from '../rest/event-stream.ts';
import { ownPagesOnly, type AddressRules } from './address.ts';
import { callTool, type McpDependencies, type McpRequest } from './call.ts';
import { listTools } from './listing.ts';
import { assertVersion, readPosted, type Posted } from './messages.ts';
import { answerRequest, ProtocolError, type Handle } from './server.ts';
import { TOOLS, type Tool } from './tools.ts';

export const MCP_PATH = '/mcp';
const METADATA_PATH = '/.well-known/oauth-protected-resource';
const MESSAGE = 'message';

type Context = RouterContext<ApiState>;

export interface McpDoor extends McpDependencies {
  readonly address: AddressRules;
}

const NO_SUCH_TOOL = `Unknown tool. There are: ${TOOLS.map(({ name }) => name).join(', ')}.`;

const toolNamed = (name: unknown): Tool | undefined => TOOLS.find((tool) => tool.name === name);

/** Whether the answer may take so long that a silent connection would be given up. */
function takesLong({ method, params }: JSONRPCRequest): boolean {
  const field = method === 'tools/call' ? toolNamed(params?.['name'])?.streamsWith : undefined;
  const given: unknown = Object(params?.['arguments']);
  return field !== undefined && Object(given)[field] != null;
}

interface Notify {
  (message: JSONRPCMessage): void;
}

/** Tells who asked for it how far a long call is: its evidence is complete, the answer is not. */
function progressOf({ params }: JSONRPCRequest, notify: Notify | null): (() => void) | undefined {
  const { progressToken } = params?.['_meta'] ?? {};
  if (notify === null || progressToken === undefined) return undefined;
  const told = { progressToken, progress: 1, total: 2, message: 'The evidence is complete.' };
  return () => notify({ jsonrpc: '2.0', method: 'notifications/progress', params: told });
}

function handlerOf(
  request: McpRequest,
  tools: () => readonly object[],
  dependencies: McpDependencies,
  bounds: Bounds,
  notify: Notify | null,
): Handle {
  return async (asked) => {
    const { method, params = {} } = asked;
    if (method === 'tools/list') return { tools: tools() };
    if (method !== 'tools/call') throw new ProtocolError(ErrorCode.MethodNotFound);
    const tool = toolNamed(params['name']);
    if (tool === undefined) throw new ProtocolError(ErrorCode.InvalidParams, NO_SUCH_TOOL);
    const progress = progressOf(asked, notify);
    return callTool(request, tool, params['arguments'], dependencies, bounds, progress);
  };
}

/** Answers as events, one for each message, so that proxies and clients see that the request lives. */
function streamAnswers(
  ctx: Context,
  log: Log,
  { requests }: Posted,
  answer: (request: JSONRPCRequest, notify: Notify) => Promise<JSONRPCMessage>,
): void {
  const events = openEvents(ctx);
  const notify: Notify = (message) => events.send(MESSAGE, message);
  const all = async (): Promise<void> => {
    for (const request of requests) notify(await answer(request, notify));
  };
  void all()
    .catch((error: unknown) => void refusalFor(error, ctx, log))
    .finally(() => events.end());
}

function endpoint(door: McpDoor, bounds: Bounds) {
  // Made at first use.
  let listed: readonly object[] | null = null;
  const tools = (): readonly object[] => (listed ??= listTools(TOOLS, door.operations));
  return async function mcp(ctx: Context): Promise<void> {
    assertVersion(ctx.req.headersDistinct['mcp-protocol-version']);
    const posted = readPosted(ctx.state.body[MESSAGE]);
    if (posted.requests.length === 0) {
      // Without this Koa would write the name of the status.
      ctx.body = null;
      ctx.status = 202;
      return;
    }
    const request: McpRequest = { ctx, context: requestContext(ctx, door, null), calls: 0 };
    const answer = (asked: JSONRPCRequest, notify: Notify | null) =>
      answerRequest(asked, handlerOf(request, tools, door, bounds, notify));
    if (posted.requests.some(takesLong) && ctx.get('accept').includes(EVENT_STREAM)) {
      streamAnswers(ctx, door.log, posted, answer);
      return;
    }
    const answers: JSONRPCMessage[] = [];
    for (const asked of posted.requests) answers.push(await answer(asked, null));
    ctx.status = 200;
    ctx.body = posted.isBatch ? answers : answers[0];
  };
}

/**
 * Tells a client without a credential where to find out how to authenticate, and a client with a wrong credential that
 * it is wrong (RFC 6750, section 3.1). Such a client then asks its person for another credential and does not look for
 * an authorization server.
 */
function challenged({ publicUrl }: AddressRules): ApiMiddleware {
  const metadata = `resource_metadata="${publicUrl}${METADATA_PATH}${MCP_PATH}"`;
  return async function challenged(ctx, next) {
    const isPresented = ctx.req.headersDistinct['authorization'] !== undefined;
    ctx.state.challenge = `Bearer ${isPresented ? 'error="invalid_token", ' : ''}${metadata}`;
    await next();
  };
}

/** Adds `/mcp` and its metadata to `router`. Other methods than POST are the router's 405. */
export function serveMcp(router: Router<ApiState>, door: McpDoor, bounds: Bounds): void {
  const { address, environment } = door;
  router.post(
    MCP_PATH,
    ownPagesOnly(address),
    challenged(address),
    authentication((bearer) => environment.authenticate(bearer)),
    ...(bounds.limit === null ? [] : [rateLimit(bounds.limit)]),
    requestPace(bounds.requests, UNITS_OF_REQUEST.usual),
    ...bodyGuards(
      { shape: { fieldNames: new Set(), nulls: 'kept', whole: MESSAGE } },
      bounds.bodies,
    ),
    authenticationAgain,
    endpoint(door, bounds),
  );
  for (const path of ['', MCP_PATH]) {
    router.get(`${METADATA_PATH}${path}`, (ctx) => {
      ctx.body = {
        resource: `${address.publicUrl}${path}`,
        resource_name: 'Vouch',
        bearer_methods_supported: ['header'],
      };
    });
  }
}
