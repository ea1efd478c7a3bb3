/**
 * Any endpoint that speaks the OpenAI chat-completions and embeddings protocol, through the AI SDK. That protocol has no
 * reranking; what endpoints have agreed on is in `rerank-endpoint.ts`.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { embeddingHabitsOf, type RemoteRoleConfig } from '../../domain/models/role-config.ts';
import { embed, fetchOnce, generate, mostAnswerBytes, MOST_EMBEDDING_BYTES } from './ai-sdk.ts';
import type { RemoteProvider } from './provider.ts';
import { askToRerank } from './rerank-endpoint.ts';

/** A client for the endpoint and model of one role. */
export function createOpenAiCompatibleProvider(config: RemoteRoleConfig): RemoteProvider {
  const client = (mostBytes: number) =>
    createOpenAICompatible({
      name: 'endpoint',
      baseURL: config.baseUrl,
      ...(config.apiKey === null ? {} : { apiKey: config.apiKey.reveal() }),
      fetch: fetchOnce(mostBytes),
      supportsStructuredOutputs: true,
      transformRequestBody: (body) => renameTokenLimit(config.baseUrl, body),
    });
  const answering = client(mostAnswerBytes(config.maxOutputTokens));
  const embedding = client(MOST_EMBEDDING_BYTES);
  const dimensions = embeddingHabitsOf(config).sendsDimensions ? config.dimensions : null;
  return {
    generate: (request) => generate(answering.chatModel(config.model), request),
    embed: (texts, signal) =>
      embed(embedding.embeddingModel(config.model), texts, signal, dimensions),
    rerank: (request) => askToRerank(config, request),
  };
}

/** OpenAI's own endpoint refuses the older name of the limit for its reasoning models. */
function renameTokenLimit(baseUrl: string, body: Record<string, unknown>): Record<string, unknown> {
  if (new URL(baseUrl).hostname !== 'api.openai.com') return body;
  const { max_tokens: limit, ...rest } = body;
  return limit === undefined ? rest : { ...rest, max_completion_tokens: limit };
}
