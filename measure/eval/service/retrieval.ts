/** Source search and search, as an agent asks for them. */
import { z } from 'zod';
import type { Access } from '../../bench/client.ts';

const REQUEST_TIMEOUT_MS = 30_000;

const sources = z.object({
  data: z.object({
    status: z.string(),
    results: z.array(
      z.object({
        message_id: z.uuid(),
        scope_path: z.string(),
        excerpt: z.string(),
        score: z.number(),
        rank: z.number(),
      }),
    ),
  }),
});
export type SourceAnswer = z.infer<typeof sources>['data'];

const found = z.object({
  data: z.object({
    degraded: z.boolean(),
    candidates: z.array(
      z.object({
        id: z.uuid(),
        scope_path: z.string(),
        statement: z.string(),
        source_message_ids: z.array(z.uuid()),
        fusion_score: z.number(),
      }),
    ),
  }),
});
const part = z.object({ summary: z.string().nullable() });
const texts = z.object({
  data: z.object({
    scope_cards: z.array(part),
    peer_profile: z.array(part),
    entity_cards: z.array(part),
    knowledge: z.array(z.object({ statement: z.string() })),
  }),
});

export type SearchAnswer = z.infer<typeof found>['data'];

const sourced = z.object({ id: z.uuid(), source_message_ids: z.array(z.uuid()) });
const answered = z.object({
  data: z.object({
    degraded: z.boolean(),
    answer: z.string(),
    citations: z.array(z.uuid()),
    abstained: z.boolean(),
    answer_confidence: z.int(),
    candidates: z.array(sourced),
    recall_evidence: z.array(sourced).optional(),
    recall_diagnostics: z.object({ retrieval_calls: z.int() }).optional(),
  }),
});
export type AskAnswer = z.infer<typeof answered>['data'];

export const EFFORTS = ['low', 'medium', 'high'] as const;
export type Effort = (typeof EFFORTS)[number];

/** How a question is asked: nothing for the first candidates alone. */
export interface AskOptions {
  readonly effort?: Effort;
  /** Whether a recall may look for messages too. */
  readonly sources?: boolean;
}

interface Asked {
  readonly scopePath: string;
  readonly limit: number;
}

export interface Retrieval {
  /** By words, without a model. Reads as the agent, or as the peer that is named. */
  sources(
    query: string,
    asked: Asked & { readonly excerptChars?: number; readonly reader?: string },
  ): Promise<SourceAnswer>;
  /** The texts of a context: summaries, and facts and statements, each once. Reads as the agent. */
  context(
    query: string,
    asked: Asked & { readonly budgetChars: number },
  ): Promise<readonly string[]>;
  /** The profile `balanced` without its time limit, so that a busy machine does not decide. Reads as the agent. */
  statements(query: string, asked: Asked): Promise<SearchAnswer>;
  /** By the profile that `ask` takes, without its time limit. Reads as the agent. */
  ask(question: string, asked: Asked & AskOptions): Promise<AskAnswer>;
}

export interface RetrievalAccess {
  readonly agent: Access;
  /** The key of the agent's peer. */
  readonly agentPeer: string;
  /** Only an account administrator may remove the time limit. */
  readonly administrator: Access;
}

async function post({ baseUrl, apiKey }: Access, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}

/** Every call throws, with status and path, on anything but success. */
export function createRetrieval({ administrator, agent, agentPeer }: RetrievalAccess): Retrieval {
  return {
    async sources(query, { excerptChars, limit, reader, scopePath }) {
      const answer = await post(agent, '/api/v1/source-search', {
        query,
        scope_path: scopePath,
        mode: 'exact',
        limit,
        ...(excerptChars === undefined ? {} : { excerpt_chars: excerptChars }),
        ...(reader === undefined ? {} : { peer_key: reader }),
      });
      return sources.parse(answer).data;
    },
    async context(query, { budgetChars, limit, scopePath }) {
      const answer = await post(agent, '/api/v1/context', {
        query,
        scope_path: scopePath,
        limit,
        budget_chars: budgetChars,
      });
      const { data } = texts.parse(answer);
      const parts = [...data.peer_profile, ...data.scope_cards, ...data.entity_cards];
      return [
        ...parts.flatMap(({ summary }) => summary ?? []),
        ...data.knowledge.map(({ statement }) => statement),
      ];
    },
    async statements(query, { limit, scopePath }) {
      const answer = await post(administrator, '/api/v1/search', {
        query,
        scope_path: scopePath,
        peer_key: agentPeer,
        profile: 'balanced',
        deadline: 'disabled',
        limit,
      });
      return found.parse(answer).data;
    },
    async ask(question, { effort, limit, scopePath, sources: withSources }) {
      const answer = await post(administrator, '/api/v1/ask', {
        question,
        scope_path: scopePath,
        peer_key: agentPeer,
        deadline: 'disabled',
        limit,
        ...(effort === undefined ? {} : { effort }),
        ...(withSources === true ? { include_source_recall: true } : {}),
      });
      return answered.parse(answer).data;
    },
  };
}
