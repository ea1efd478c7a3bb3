/**
 * What every provider of the AI SDK has in common. The ledger counts requests, so one call must be one request, and
 * nothing of its content may reach a log: embeddings have the SDK's retries, warnings and telemetry off, and language
 * models are asked through the interface below it, which has none of them (docs/design/providers.md has the saving).
 */
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { embedMany, type EmbeddingModel } from 'ai';
import { ModelFailure } from '../../domain/error-class.ts';
import { NO_USAGE } from '../../domain/models/usage.ts';
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
  model: LanguageModelV4,
  request: GenerationRequest,
): Promise<GenerationAnswer> {
  const { maxOutputTokens, object, signal } = request;
  try {
    return answerOf(
      await model.doGenerate({
        prompt: promptOf(request),
        maxOutputTokens,
        abortSignal: signal,
        responseFormat: formatOf(object),
      }),
    );
  } catch (error) {
    throw providerFailure(error);
  }
}

/**
 * One request to an embedding model, for no more texts than it takes at once. `dimensions` is the width that the
 * request names; null names none. Throws like `generate`.
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

function promptOf({ instructions, messages }: GenerationRequest): LanguageModelV4Prompt {
  return [
    { role: 'system', content: instructions },
    ...messages.map(({ content, role }) => ({
      role,
      content: [{ type: 'text' as const, text: content }],
    })),
  ];
}

function formatOf(
  object: GenerationRequest['object'],
): NonNullable<LanguageModelV4CallOptions['responseFormat']> {
  return object === null
    ? { type: 'text' }
    : { type: 'json', name: object.name, schema: object.schema };
}

function answerOf(result: LanguageModelV4GenerateResult): GenerationAnswer {
  const { content, finishReason, structuredOutputText, usage } = result;
  const written = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    text: structuredOutputText ?? written.join(''),
    finish: finishOf(finishReason.unified),
    usage: {
      ...NO_USAGE,
      inputTokens: reported(usage.inputTokens.total),
      outputTokens: reported(usage.outputTokens.total),
    },
  };
}

function finishOf(
  reason: LanguageModelV4GenerateResult['finishReason']['unified'],
): GenerationAnswer['finish'] {
  if (reason === 'length') return 'truncated';
  return reason === 'content-filter' ? 'filtered' : 'complete';
}

/** More tokens than this no call has: who reports them counts wrongly. */
const MOST_REPORTED_TOKENS = 1_000_000_000;

/** A count of tokens as a provider reports it; null for what is no count. */
export function reported(tokens: unknown): number | null {
  return typeof tokens === 'number' && tokens >= 0 && tokens <= MOST_REPORTED_TOKENS
    ? Math.round(tokens)
    : null;
}
