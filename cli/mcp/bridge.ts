/**
 * The protocol over standard input and output, for clients that start their servers as programs: each message is posted to
 * `/mcp` of a running service, and each answer becomes one line. The bridge opens no database and decides nothing.
 */
import { eventData, linesOf } from './lines.ts';

/** Requests that wait for an answer at a time; the next line is read when one has come. */
const MOST_IN_FLIGHT = 16;
/** The range of JSON-RPC for errors of a server. */
const SERVER_ERROR = -32_000;
const PARSE_ERROR = -32_700;

export interface BridgeOptions {
  /** The base address of the service, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  readonly lines: AsyncIterable<Uint8Array | string>;
  /** Standard output: frames only. */
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly signal: AbortSignal;
}

type Message = Readonly<Record<string, unknown>>;

const isMessage = (value: unknown): value is Message =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The ids of the requests in a line: who waits for an answer. */
function waitingIn(value: unknown): unknown[] {
  const messages: unknown[] = Array.isArray(value) ? value : [value];
  return messages.flatMap((one) =>
    isMessage(one) && 'id' in one && 'method' in one ? [one['id']] : [],
  );
}

class Bridge {
  readonly #options: BridgeOptions;
  readonly #running = new Map<unknown, AbortController>();
  /** The revision that was agreed on; null before. */
  #version: string | null = null;

  constructor(options: BridgeOptions) {
    this.#options = options;
  }

  #write(message: unknown): void {
    this.#options.out(`${JSON.stringify(message)}\n`);
  }

  #fail(ids: readonly unknown[], code: number, message: string, data?: unknown): void {
    this.#options.err(`vouch mcp: ${message}\n`);
    const error = { code, message, ...(data === undefined ? {} : { data }) };
    for (const id of ids) this.#write({ jsonrpc: '2.0', id, error });
  }

  #pass(value: unknown): void {
    const messages: unknown[] = Array.isArray(value) ? value : [value];
    for (const message of messages) {
      const result: unknown = isMessage(message) ? message['result'] : null;
      const version = isMessage(result) ? result['protocolVersion'] : null;
      if (typeof version === 'string') this.#version = version;
      this.#write(message);
    }
  }

  async #takeAnswer(response: Response, ids: readonly unknown[]): Promise<void> {
    if (!response.ok) {
      const body = parsed(await response.text());
      const { code, error } = isMessage(body) ? body : {};
      const said = typeof error === 'string' ? error : `The service answered ${response.status}.`;
      this.#fail(ids, SERVER_ERROR, said, { code: code ?? null, status: response.status });
      return;
    }
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream') && response.body !== null) {
      for await (const data of eventData(response.body)) this.#pass(parsed(data));
      return;
    }
    const text = await response.text();
    if (text !== '') this.#pass(parsed(text));
  }

  /** Posts one line. Never rejects. */
  async post(line: string): Promise<void> {
    const { key, signal, url } = this.#options;
    const value = parsed(line);
    if (value === undefined) return this.#fail([null], PARSE_ERROR, 'A line is not JSON.');
    const ids = waitingIn(value);
    const stop = new AbortController();
    for (const id of ids) this.#running.set(id, stop);
    try {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        body: line,
        // The key goes to the named address and to no other.
        redirect: 'error',
        signal: AbortSignal.any([signal, stop.signal]),
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          authorization: `Bearer ${key}`,
          ...(this.#version === null ? {} : { 'mcp-protocol-version': this.#version }),
        },
      });
      await this.#takeAnswer(response, ids);
    } catch {
      // Who cancelled waits for nothing.
      if (!stop.signal.aborted) this.#fail(ids, SERVER_ERROR, `No answer from ${url}.`);
    } finally {
      for (const id of ids) this.#running.delete(id);
    }
  }

  /** Ends the request that the line cancels; answers whether it is such a line. */
  cancels(line: string): boolean {
    const value = parsed(line);
    if (!isMessage(value) || value['method'] !== 'notifications/cancelled') return false;
    const params: unknown = value['params'];
    if (isMessage(params)) this.#running.get(params['requestId'])?.abort();
    return true;
  }
}

/** Runs until the client closes its end and every answer has come. Rejects with `LineTooLong`. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  const bridge = new Bridge(options);
  const inFlight = new Set<Promise<void>>();
  for await (const line of linesOf(options.lines)) {
    if (line.trim() === '' || bridge.cancels(line)) continue;
    const posted = bridge.post(line);
    inFlight.add(posted);
    void posted.then(() => inFlight.delete(posted));
    if (inFlight.size >= MOST_IN_FLIGHT) await Promise.race(inFlight);
  }
  await Promise.all(inFlight);
}
