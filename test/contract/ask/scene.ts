/** A service whose model for answers is a stub, and what a test asks of it. */
import {
  candidatesOf,
  dataOf,
  startOwnService,
  type Body,
  type OwnService,
} from '../../support/service.ts';
import { startStubOpenAi, type StubOpenAi } from '../../support/stub-openai.ts';
import type { HttpAnswer } from '../../support/http.ts';

export const MODEL = 'answers';
/** How long the provider may take; a provider that hangs is given up then. */
export const CALL_MS = 1_500;

export interface AskScene {
  readonly service: OwnService;
  readonly stub: StubOpenAi;
  ask(token: string, body: Body, headers?: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  /** The rows of the ledger for answers since `since`: status, class, number of the repair. */
  ledger(since: Date): Promise<unknown[][]>;
  close(): Promise<void>;
}

export async function startAskScene(
  settings: Readonly<Record<string, string>> = {},
): Promise<AskScene> {
  const stub = await startStubOpenAi();
  const service = await startOwnService({
    SERVICE_MODEL_DIALECTIC_AGENT: `openai-compatible:${MODEL}`,
    SERVICE_MODEL_DIALECTIC_AGENT_BASE_URL: stub.baseUrl,
    SERVICE_MODEL_DIALECTIC_AGENT_TIMEOUT_MS: String(CALL_MS),
    SERVICE_CIRCUIT_FAILURES: '1000',
    ...settings,
  });
  return {
    service,
    stub,
    ask: (token, body, headers = {}) =>
      service.call({
        path: '/api/v1/ask',
        token,
        headers,
        json: { scope_path: '/team', question: 'Who keeps bees on the roof?', ...body },
      }),
    async ledger(since) {
      const rows = await service.rows(
        `select state, error_class, repair_index from provider_attempts
         where role = 'dialectic_agent' and reserved_at > $1 order by reserved_at`,
        [since],
      );
      return rows.map((row) => [row['state'], row['error_class'], row['repair_index']]);
    },
    async close() {
      await service.close();
      await stub.close();
    },
  };
}

/** The statements of an answer's candidates, by id. */
export function statementsIn(answer: HttpAnswer): ReadonlyMap<string, string> {
  return new Map(candidatesOf(answer).map(({ id, statement }) => [String(id), String(statement)]));
}

/** The last question that the provider was asked: the material and the question of it. */
export function materialOf({ requests }: StubOpenAi): Body {
  const body = requests.at(-1)?.body ?? {};
  const messages: readonly { readonly role: string; readonly content: string }[] = Object(
    body['messages'],
  );
  const users = [...messages].filter(({ role }) => role === 'user');
  return Object(JSON.parse(users[0]?.content ?? '{}'));
}

/** What an answer says beside the search. */
export function answerOf(answer: HttpAnswer): Body {
  const {
    abstained,
    answer: text,
    answer_confidence,
    answer_context_count,
    answer_degraded,
    answerer_prompt_tokens,
    citations,
    supporting_statements,
  } = dataOf(answer);
  return {
    answer: text,
    citations,
    abstained,
    answer_confidence,
    answer_degraded,
    answer_context_count,
    answerer_prompt_tokens,
    supporting_statements,
  };
}
