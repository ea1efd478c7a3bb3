/**
 * What a remote provider can do, in the service's words. An implementation makes exactly one request per
 * call, never retries, and throws a ModelFailure without a cause: a provider's text stays inside it.
 * When the given signal is aborted it may throw anything; the caller knows why the signal fired.
 */
import type { TokenUsage } from '../../domain/models/usage.ts';

export interface ChatMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** A JSON Schema as sent to the provider. */
export interface ObjectSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface GenerationRequest {
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  /** The schema of the object to write; null asks for plain text. */
  readonly object: ObjectSchema | null;
  readonly maxOutputTokens: number;
  readonly signal: AbortSignal;
}

export interface GenerationAnswer {
  /** May be empty. For an object it is whatever the model wrote, not yet parsed. */
  readonly text: string;
  readonly finish: 'complete' | 'truncated' | 'filtered';
  readonly usage: TokenUsage;
}

export interface EmbeddingAnswer {
  readonly vectors: readonly (readonly number[])[];
  readonly usage: TokenUsage;
}

export interface RerankRequest {
  readonly query: string;
  readonly documents: readonly string[];
  readonly signal: AbortSignal;
}

export interface RerankAnswer {
  /** As the endpoint sent them, not yet judged. */
  readonly rankings: unknown;
  readonly usage: TokenUsage;
}

export interface RemoteProvider {
  generate(request: GenerationRequest): Promise<GenerationAnswer>;
  embed(texts: readonly string[], signal: AbortSignal): Promise<EmbeddingAnswer>;
  rerank(request: RerankRequest): Promise<RerankAnswer>;
}
