/**
 * Any endpoint that speaks the OpenAI chat-completions and embeddings protocol, through the AI SDK.
 * The SDK's own retries, warnings and telemetry are off: the ledger counts requests, so one call must be
 * one request, and nothing of its content may reach a log.
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { JSONSchema7, LanguageModelUsage } from 'ai';
import { NoObjectGeneratedError, Output, embedMany, generateText, jsonSchema } from 'ai';
import { ModelFailure } from '../../domain/models/error-class.ts';
import type { TokenUsage } from '../../domain/models/ledger.ts';
import { NO_USAGE } from '../../domain/models/ledger.ts';
import type { RemoteRoleConfig } from '../../domain/models/role-config.ts';
import { classifyProviderError } from './classify.ts';
import type { GenerationAnswer, GenerationRequest, RemoteProvider } from './provider.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const TELEMETRY = { isEnabled: false } as const;

type OpenAiCompatible = ReturnType<typeof createOpenAICompatible>;

/** A client for the endpoint and model of one role. */
export function createOpenAiCompatibleProvider(config: RemoteRoleConfig): RemoteProvider {
  const client = createOpenAICompatible({
    name: 'endpoint',
    baseURL: config.baseUrl,
    ...(config.apiKey === null ? {} : { apiKey: config.apiKey.reveal() }),
    supportsStructuredOutputs: true,
    transformRequestBody: (body) => renameTokenLimit(config.baseUrl, body),
  });
  return {
    generate: (request) => generate(client, config.model, request),
    embed: async (texts, signal) => {
      try {
        const answer = await embedMany({
          model: client.embeddingModel(config.model),
          values: [...texts],
          maxRetries: 0,
          abortSignal: signal,
          telemetry: TELEMETRY,
        });
        return {
          vectors: answer.embeddings,
          usage: { ...NO_USAGE, embeddingTokens: reported(answer.usage.tokens) },
        };
      } catch (error) {
        throw new ModelFailure(classifyProviderError(error));
      }
    },
  };
}

async function generate(
  client: OpenAiCompatible,
  model: string,
  request: GenerationRequest,
): Promise<GenerationAnswer> {
  try {
    const result = await generateText({
      model: client.chatModel(model),
      instructions: request.instructions,
      messages: request.messages.map((message) => ({ ...message })),
      maxOutputTokens: request.maxOutputTokens,
      maxRetries: 0,
      abortSignal: request.signal,
      telemetry: TELEMETRY,
      ...(request.object === null ? {} : { output: objectOutput(request.object) }),
    });
    return answer(result.text, result.finishReason, result.usage);
  } catch (error) {
    // Fenced or commented JSON is not the SDK's "object"; the text is judged by the caller instead.
    if (NoObjectGeneratedError.isInstance(error)) {
      return answer(error.text ?? '', error.finishReason, error.usage);
    }
    throw new ModelFailure(classifyProviderError(error));
  }
}

function objectOutput(
  object: NonNullable<GenerationRequest['object']>,
): ReturnType<typeof Output.object> {
  const schema: JSONSchema7 = object.schema;
  return Output.object({ schema: jsonSchema(schema), name: object.name });
}

function answer(
  text: string,
  finishReason: string | undefined,
  usage: LanguageModelUsage | undefined,
): GenerationAnswer {
  return { text, finish: finishOf(finishReason), usage: usageOf(usage) };
}

function finishOf(reason: string | undefined): GenerationAnswer['finish'] {
  if (reason === 'length') return 'truncated';
  return reason === 'content-filter' ? 'filtered' : 'complete';
}

function usageOf(usage: LanguageModelUsage | undefined): TokenUsage {
  return {
    inputTokens: reported(usage?.inputTokens),
    outputTokens: reported(usage?.outputTokens),
    embeddingTokens: null,
  };
}

function reported(tokens: number | undefined): number | null {
  return tokens !== undefined && Number.isFinite(tokens) && tokens >= 0 ? Math.round(tokens) : null;
}

/** OpenAI's own endpoint refuses the older name of the limit for its reasoning models. */
function renameTokenLimit(baseUrl: string, body: Record<string, unknown>): Record<string, unknown> {
  if (new URL(baseUrl).hostname !== 'api.openai.com') return body;
  const { max_tokens: limit, ...rest } = body;
  return limit === undefined ? rest : { ...rest, max_completion_tokens: limit };
}
