/**
 * The protocol: the SDK's low-level server behind a transport for a single request over HTTP. The server answers
 * `initialize` and `ping`; `tools/list` and `tools/call` come to our own handler unread, so that only `execute` judges
 * arguments. Everything else is unknown here.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  type JSONRPCRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { APP_VERSION } from '../openapi/version.ts';

const INFO = { name: 'vouch', title: 'Vouch', version: APP_VERSION };

const INSTRUCTIONS = [
  'Vouch is memory that people govern. Begin with `get_context`; record turns with `ingest`; read with `ask`, `search` and `query_knowledge`.',
  'Every call names a scope, a path such as /team/project. Read and write at the narrowest scope that fits: what is known at a scope is visible below it.',
  'Name a `session_id`, the same for all turns of a conversation. A read that names it may bring a question for the person (`pending_validation`): put it to the person when it fits, word for word, and report the answer with `resolve_validation`.',
  'What is missing is not known, or not for this reader. Say so instead of guessing.',
].join('\n');

/** Our own words for each error of the protocol: the SDK's may quote what was sent. */
const MESSAGES: ReadonlyMap<number, string> = new Map([
  [ErrorCode.MethodNotFound, 'Method not found'],
  [ErrorCode.InvalidParams, 'Invalid params'],
]);

/** Thrown by a handler: an error of the protocol, not of a tool. */
export class ProtocolError extends Error {
  readonly code: number;
  override readonly name = 'ProtocolError';

  constructor(
    code: ErrorCode.MethodNotFound | ErrorCode.InvalidParams,
    message = MESSAGES.get(code),
  ) {
    super(message);
    this.code = code;
  }
}

/** Carries one request in and its answer out. */
class OneRequest implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  readonly #answer = Promise.withResolvers<JSONRPCMessage>();

  async start(): Promise<void> {
    // There is nothing to open.
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#answer.resolve(message);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }

  ask(request: JSONRPCRequest): Promise<JSONRPCMessage> {
    this.onmessage?.(request);
    return this.#answer.promise;
  }
}

/** The SDK's own handlers fail only by params they cannot read, which it calls an internal error. */
function inOurWords(answer: JSONRPCMessage, own: ProtocolError | null): JSONRPCMessage {
  if (!('error' in answer)) return answer;
  const { code, message } = own ?? new ProtocolError(ErrorCode.InvalidParams);
  return { ...answer, error: { code, message } };
}

export type Handle = (request: JSONRPCRequest) => Promise<Readonly<Record<string, unknown>>>;

/** The SDK would make a compiler of schemas for each server; nothing that is asked here needs one. */
const noValidator = {
  getValidator(): never {
    throw new TypeError('no schema is validated by the SDK');
  },
};

/** Answers one request; `handle` gets every method that is the service's own. Never throws. */
export async function answerRequest(
  request: JSONRPCRequest,
  handle: Handle,
): Promise<JSONRPCMessage> {
  const server = new Server(INFO, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: noValidator,
  });
  let own: ProtocolError | null = null;
  server.fallbackRequestHandler = async (asked) => {
    try {
      return { ...(await handle(asked)) };
    } catch (error) {
      if (error instanceof ProtocolError) own = error;
      throw error;
    }
  };
  const transport = new OneRequest();
  await server.connect(transport);
  try {
    return inOurWords(await transport.ask(request), own);
  } finally {
    await server.close();
  }
}
