/**
 * Anthropic's Messages protocol, through the AI SDK. An object is asked for in the strictest way that the model has:
 * by the provider's structured output where the SDK knows that the model has it, else as the input of a tool.
 */
import { createAnthropic } from '@ai-sdk/anthropic';
import { ModelFailure } from '../../domain/error-class.ts';
import type { RemoteRoleConfig } from '../../domain/models/role-config.ts';
import { fetchOnce, generate, mostAnswerBytes } from './ai-sdk.ts';
import type { RemoteProvider } from './provider.ts';

/** A client for the model of one role. Anthropic has neither embeddings nor a reranker. */
export function createAnthropicProvider(config: RemoteRoleConfig): RemoteProvider {
  const client = createAnthropic({
    baseURL: config.baseUrl,
    fetch: fetchOnce(mostAnswerBytes(config.maxOutputTokens)),
    // Never undefined: the SDK would then read ANTHROPIC_API_KEY itself. Only the role's configuration decides the key.
    apiKey: config.apiKey?.reveal() ?? '',
  });
  return {
    generate: (request) => generate(client.languageModel(config.model), request),
    embed: () => Promise.reject(new ModelFailure('model_not_configured')),
    rerank: () => Promise.reject(new ModelFailure('model_not_configured')),
  };
}
