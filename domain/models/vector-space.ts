/**
 * Identity of a vector space. Vectors of two models, or of two versions, widths or document prefixes of one, cannot be
 * compared, so each space has a collection of its own and the key below is part of the collection's name. The prefix of
 * queries is not part of it: no vector of a query is stored.
 */
import { withoutEnding } from '../text/ending.ts';
import type { ModelProvider } from './roles.ts';

export interface VectorSpace {
  readonly provider: ModelProvider;
  readonly model: string;
  readonly version: string;
  readonly dimensions: number;
  /** What the model is given before each stored text; empty unless given. Another prefix makes other vectors. */
  readonly documentPrefix?: string;
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const SLUG_LENGTH = 24;

/**
 * Stable key of a vector space: `<slug of the model>_<dimensions>_<16 hex digits>`, lower case letters,
 * digits, `-` and `_` only, at most 50 characters. The slug is for people, the hash tells spaces apart.
 */
export function vectorSpaceKey(space: VectorSpace): string {
  const { provider, model, version, dimensions, documentPrefix = '' } = space;
  const prefixed = documentPrefix === '' ? [] : [documentPrefix];
  const identity = JSON.stringify([provider, model, version, dimensions, ...prefixed]);
  return `${slug(model)}_${dimensions}_${fnv1a64(identity)}`;
}

function slug(model: string): string {
  const name = model.toLowerCase().split('/').at(-1) ?? '';
  const plain = name.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '');
  return withoutEnding(plain.slice(0, SLUG_LENGTH), /-/) || 'model';
}

/** FNV-1a, 64 bit, over UTF-16 code units in big-endian order. Not for security: it only names things. */
function fnv1a64(text: string): string {
  let hash = FNV_OFFSET;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    for (const byte of [unit >> 8, unit & 0xff]) {
      hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * FNV_PRIME);
    }
  }
  return hash.toString(16).padStart(16, '0');
}
