/**
 * Fits a request into a model's context by leaving out the oldest earlier messages of a single anchor. The anchor is
 * never cut: a source that does not fit by itself waits for an operator.
 */
import type { ExtractionRequest, SourceMessage } from '../../../domain/statements/candidate.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import { DOCUMENT_INSTRUCTIONS, renderMaterial, renderMessage } from './prompt.ts';
import { ANSWER_SCHEMA } from './schema.ts';

/**
 * Bytes of UTF-8 per token, on the low side: about one token per character of scripts that take three
 * bytes, a third more than real for English.
 */
const BYTES_PER_TOKEN = 3;
const FIXED_BYTES = Buffer.byteLength(DOCUMENT_INSTRUCTIONS + JSON.stringify(ANSWER_SCHEMA.schema));

/** Estimated tokens of what every call says beside its material. */
export const FIXED_TOKENS = Math.ceil(FIXED_BYTES / BYTES_PER_TOKEN);

/** Estimated tokens of a message in the prompt. */
export function messageTokens(message: SourceMessage): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(renderMessage(message))) / BYTES_PER_TOKEN);
}

/** Estimated tokens of the material for these anchors. */
function materialTokens(requests: readonly ExtractionRequest[]): number {
  return Math.ceil(Buffer.byteLength(renderMaterial(requests)) / BYTES_PER_TOKEN);
}

/**
 * The requests with as much of the window as fits into `inputTokens`. The windows of several anchors were chosen
 * together, so they are kept whole or do not fit.
 * @throws ModelFailure('source_too_large') when the anchor alone, or several as they are, do not fit.
 */
export function fitToContext(
  requests: readonly ExtractionRequest[],
  inputTokens: number,
): readonly ExtractionRequest[] {
  const limit = inputTokens - FIXED_TOKENS;
  if (materialTokens(requests) <= limit) return requests;
  const [only, ...others] = requests;
  if (only !== undefined && others.length === 0) {
    for (let dropped = 1; dropped <= only.window.length; dropped += 1) {
      const fitted = [{ ...only, window: only.window.slice(dropped) }];
      if (materialTokens(fitted) <= limit) return fitted;
    }
  }
  throw new ModelFailure('source_too_large');
}
