/** Fits the evidence into a model's context: what does not fit is left out from the end. */
import { ModelFailure } from '../../domain/error-class.ts';
import { INSTRUCTIONS, renderMaterial, type Material } from './prompt.ts';
import { REPLY_SCHEMA } from './read-reply.ts';

/** Bytes of UTF-8 for each token, on the low side, as in extraction. */
const BYTES_PER_TOKEN = 3;
const FIXED_BYTES = Buffer.byteLength(INSTRUCTIONS + JSON.stringify(REPLY_SCHEMA.schema));

/**
 * The material with as many items, the first ones, as fit into `inputTokens`.
 * @throws ModelFailure('source_too_large') when not even the first one does.
 */
export function fitToContext(material: Material, inputTokens: number): Material {
  const room = inputTokens * BYTES_PER_TOKEN - FIXED_BYTES;
  let { evidence } = material;
  while (evidence.length > 0) {
    const fitted = { ...material, evidence };
    if (Buffer.byteLength(renderMaterial(fitted)) <= room) return fitted;
    evidence = evidence.slice(0, -1);
  }
  throw new ModelFailure('source_too_large');
}
