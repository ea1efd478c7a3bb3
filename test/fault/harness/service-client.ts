/** What the outage tests ask of a running start, as an agent and as an operator would. */
import { z } from 'zod';
import type { RunningStack } from '../../../measure/stack.ts';

export const SCOPE = '/workshop';

const accepted = z.object({ data: z.object({ message_id: z.uuid() }) });
const found = z.object({
  data: z.object({
    candidates: z.array(z.object({ statement: z.string() })),
    degraded: z.boolean(),
    degraded_components: z.array(z.string()),
  }),
});
const ready = z.object({ checks: z.record(z.string(), z.unknown()) });

export interface Readiness {
  readonly httpStatus: number;
  readonly checks: Readonly<Record<string, unknown>>;
}

export interface Hits {
  readonly statements: readonly string[];
  readonly degraded: boolean;
  readonly components: readonly string[];
}

export interface ServiceClient {
  /** Says one observation of `speaker`; answers the message id. Throws unless it is accepted. */
  say(content: string, speaker?: string): Promise<string>;
  search(query: string): Promise<Hits>;
  ready(): Promise<Readiness>;
  /** The status of `/api/health`. */
  health(): Promise<number>;
}

const ANSWER_WITHIN_MS = 60_000;

export function serviceClient({ baseUrl, apiKey }: RunningStack): ServiceClient {
  const call = (path: string, body?: unknown): Promise<Response> =>
    fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const expected = async (response: Response, status: number): Promise<unknown> => {
    if (response.status === status) return response.json();
    throw new Error(`answered with ${response.status}: ${await response.text()}`);
  };
  return {
    async say(content, speaker = 'nora') {
      const response = await call('/api/v1/ingest', {
        session_id: `with-${speaker}`,
        scope_path: SCOPE,
        peer_key: speaker,
        content,
      });
      return accepted.parse(await expected(response, 202)).data.message_id;
    },
    async search(query) {
      const response = await call('/api/v1/search', { scope_path: SCOPE, query });
      const { data } = found.parse(await expected(response, 200));
      return {
        statements: data.candidates.map(({ statement }) => statement),
        degraded: data.degraded,
        components: data.degraded_components,
      };
    },
    async ready() {
      const response = await call('/api/ready');
      return { httpStatus: response.status, ...ready.parse(await response.json()) };
    },
    health: async () => (await call('/api/health')).status,
  };
}
