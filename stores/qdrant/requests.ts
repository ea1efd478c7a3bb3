/**
 * The reads of searches, sent without the client. The client looks at every value of an answer for integers that are no
 * numbers, and sends each body as a stream: four to five milliseconds of a search. What searches read holds no such
 * integers: ids are UUIDs, scores are fractions, instants are milliseconds.
 */
import { Agent as HttpAgent, request as overHttp, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { urlToHttpOptions } from 'node:url';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';

/** Connections are kept and bounded as those of the client. */
const AGENT = { keepAlive: true, maxSockets: 25 };
/** What the client assumes where an address names no port. */
const PORT = '6333';

/** What came back, before anything is known of it. */
interface Answered {
  readonly status: number;
  readonly asksToWait: boolean;
  readonly text: string;
}

/** Qdrant answered with an error. Told by its `status`, as the errors of the client are. */
class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;

  constructor(status: number) {
    super(`Qdrant answered ${status}`);
    this.status = status;
  }
}

/** The `result` of an answer; of what an error says nothing is kept but its status. */
function resultOf({ asksToWait, status, text }: Answered): unknown {
  if (status === 200 || status === 201) {
    const answer: unknown = JSON.parse(text);
    return Reflect.get(Object(answer), 'result');
  }
  // An answer of another kind of success is none of Qdrant, and a Qdrant that asks to be spared is as good as away.
  if (status < 300 || (status === 429 && asksToWait)) throw new IndexFailure('qdrant', 'away');
  throw new RefusedRequest(status);
}

/** Requests to one Qdrant, over connections that are kept. */
export class QdrantRequests {
  readonly #options: RequestOptions;
  readonly #request: typeof overHttp;
  readonly #headers: Readonly<Record<string, string>>;

  /** As the client, it takes of the address what stands before the path. */
  constructor(address: string, headers: Readonly<Record<string, string>>) {
    const url = new URL(address);
    const isSecure = url.protocol === 'https:';
    const { hostname, protocol } = urlToHttpOptions(url);
    this.#options = {
      hostname: hostname ?? '',
      protocol: protocol ?? 'http:',
      port: url.port === '' ? PORT : url.port,
      agent: isSecure ? new HttpsAgent(AGENT) : new HttpAgent(AGENT),
    };
    this.#request = isSecure ? overHttps : overHttp;
    this.#headers = { accept: 'application/json', ...headers };
  }

  /** The `result` that is answered to the body. Ends with the signal, with its reason, and after `withinMs`. */
  async post(path: string, body: object, withinMs: number, signal?: AbortSignal): Promise<unknown> {
    const text = JSON.stringify(body);
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    return resultOf(await this.#send({ path, headers, method: 'POST' }, text, withinMs, signal));
  }

  /** As `post`, of what is read without a body. */
  async get(path: string, withinMs: number, signal?: AbortSignal): Promise<unknown> {
    return resultOf(await this.#send({ path, headers: this.#headers }, '', withinMs, signal));
  }

  async #send(
    asked: RequestOptions,
    body: string,
    withinMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Answered> {
    signal?.throwIfAborted();
    const { promise, reject, resolve } = Promise.withResolvers<Answered>();
    const sent = this.#request({ ...this.#options, ...asked }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const asksToWait = answer.headers['retry-after'] !== undefined;
        resolve({ status: answer.statusCode ?? 0, asksToWait, text });
      });
    });
    // The reason comes first: a request that is destroyed fails as if Qdrant had closed its connection.
    const end = (reason: unknown): void => {
      reject(reason);
      sent.destroy();
    };
    const left = (): void => end(signal?.reason);
    const late = setTimeout(() => end(new IndexFailure('qdrant', 'timeout')), withinMs);
    signal?.addEventListener('abort', left, { once: true });
    sent.on('error', reject);
    sent.end(body);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      signal?.removeEventListener('abort', left);
    }
  }
}
