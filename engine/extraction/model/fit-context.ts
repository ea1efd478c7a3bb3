/**
 * Fits a request into a model's context by leaving out the oldest earlier messages. The anchor is never
 * cut: a source that does not fit by itself waits for an operator.
 */
import type { ExtractionRequest } from '../../../domain/extraction/candidate.ts';
import { ModelFailure } from '../../../domain/models/error-class.ts';
import { DOCUMENT_INSTRUCTIONS, renderDocument } from './prompt.ts';
import { ANSWER_SCHEMA } from './schema.ts';

/**
 * Bytes of UTF-8 per token, on the low side: about one token per character of scripts that take three
 * bytes, a third more than real for English.
 */
const BYTES_PER_TOKEN = 3;
const FIXED_BYTES = Buffer.byteLength(DOCUMENT_INSTRUCTIONS + JSON.stringify(ANSWER_SCHEMA.schema));

/**
 * The request with as much of its window as fits into `inputTokens`.
 * @throws ModelFailure('source_too_large') when the anchor alone does not fit.
 */
export function fitToContext(request: ExtractionRequest, inputTokens: number): ExtractionRequest {
  const limit = inputTokens * BYTES_PER_TOKEN - FIXED_BYTES;
  for (let dropped = 0; dropped <= request.window.length; dropped += 1) {
    const fitted = { ...request, window: request.window.slice(dropped) };
    if (Buffer.byteLength(renderDocument(fitted)) <= limit) return fitted;
  }
  throw new ModelFailure('source_too_large');
}
