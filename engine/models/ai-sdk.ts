/**
 * What every provider of the AI SDK has in common. The SDK's own retries, warnings and telemetry are off: the
 * ledger counts requests, so one call must be one request, and nothing of its content may reach a log.
 */
import type { EmbeddingModel, JSONSchema7, LanguageModel, LanguageModelUsage } from 'ai';
import { NoObjectGeneratedError, Output, embedMany, generateText, jsonSchema } from 'ai';
import { ModelFailure } from '../../domain/models/error-class.ts';
import { NO_USAGE, type TokenUsage } from '../../domain/models/usage.ts';
import { classifyProviderError } from './classify.ts';
import type { EmbeddingAnswer, GenerationAnswer, GenerationRequest } from './provider.ts';
import { retryAfterMs } from './retry-after.ts';

Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });

const TELEMETRY = { isEnabled: false } as const;

/** Bytes of an answer for each token that it may have: a token has four, and what is escaped or thought aloud more. */
const MOST_BYTES_PER_TOKEN = 64;
/** Around the text, whatever the tokens. */
const MOST_ENVELOPE_BYTES = 65_536;
/** Of an answer with vectors: 96 of the widest, as text. */
export const MOST_EMBEDDING_BYTES = 33_554_432;

/** Bytes of an answer to a question whose answer may have so many tokens. */
export function mostAnswerBytes(maxOutputTokens: number): number {
  return MOST_ENVELOPE_BYTES + MOST_BYTES_PER_TOKEN * maxOutputTokens;
}

/**
 * `fetch` for a provider's client. A redirection is an answer like any other and is not followed: that would be a
 * second request under one ledger row, and would send content and key to an address that is not configured. An answer
 * is read up to `mostBytes`; past them its connection is closed, and reading it fails with `provider_output_truncated`.
 */
export function fetchOnce(mostBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, redirect: 'manual' });
    if (response.body === null) return response;
    const { headers, status, statusText } = response;
    return new Response(response.body.pipeThrough(upTo(mostBytes)), {
      headers,
      status,
      statusText,
    });
  };
}

function upTo(mostBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(piece, controller) {
      bytes += piece.byteLength;
      if (bytes <= mostBytes) controller.enqueue(piece);
      else controller.error(new ModelFailure('provider_output_truncated'));
    },
  });
}

/** One request to a language model. Throws as `RemoteProvider` says. */
export async function generate(
  model: LanguageModel,
  request: GenerationRequest,
): Promise<GenerationAnswer> {
  try {
    const result = await generateText({
      model,
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
    // Fenced or commented JSON is not the SDK's "object"; the caller judges the text instead.
    if (NoObjectGeneratedError.isInstance(error)) {
      return answer(error.text ?? '', error.finishReason, error.usage);
    }
    throw providerFailure(error);
  }
}

/**
 * One request to an embedding model, for no more texts than it takes at once. `dimensions` is the width that the model is
 * told to answer; null says nothing of it. Throws like `generate`.
 */
export async function embed(
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
  dimensions: number | null,
): Promise<EmbeddingAnswer> {
  try {
    const embedded = await embedMany({
      model,
      values: [...texts],
      maxRetries: 0,
      abortSignal: signal,
      telemetry: TELEMETRY,
      ...(dimensions === null ? {} : { providerOptions: { openaiCompatible: { dimensions } } }),
    });
    const usage = { ...NO_USAGE, embeddingTokens: reported(embedded.usage.tokens) };
    return { vectors: embedded.embeddings, usage };
  } catch (error) {
    throw providerFailure(error);
  }
}

/** The failure without its cause, which holds the provider's text. */
export function providerFailure(error: unknown): ModelFailure {
  const waitMs = retryAfterMs(error);
  return new ModelFailure(
    classifyProviderError(error),
    waitMs === null ? {} : { retryAfterMs: waitMs },
  );
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

/** More tokens than this no call has: who reports them counts wrongly. */
const MOST_REPORTED_TOKENS = 1_000_000_000;

/** A count of tokens as a provider reports it; null for what is no count. */
export function reported(tokens: unknown): number | null {
  return typeof tokens === 'number' && tokens >= 0 && tokens <= MOST_REPORTED_TOKENS
    ? Math.round(tokens)
    : null;
}
