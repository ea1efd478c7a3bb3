/**
 * Cuts and analyses a message once for everything that is made of it. The results are bounded whatever the characters
 * expand to: one character may fold to eighteen, and a pair of characters is coded in nine. Pure but for hashing.
 */
import { createHash } from 'node:crypto';
import { pointVector } from '../../domain/ranking/sparse.ts';
import { foldingWithin } from '../../domain/text/fold.ts';
import { words } from '../../domain/text/tokens.ts';
import { analyze } from '../text/analyze.ts';
import { quotedBigrams } from '../text/quoted-bigrams.ts';
import { placedPassagesOf } from './passages.ts';
import { placesOf } from './places.ts';

/** Four times what a passage has before it is folded: no ordinary text of any script grows so far. */
const MOST_PASSAGE_CHARS = 4_800;
/** A message of a mebibyte, the most that is allowed, has fewer passages. */
const MOST_PASSAGES = 2_048;
/** A mebibyte of ordinary text has half as many terms. Each term is a row of the frequencies. */
const MOST_TERMS = 65_536;
/** A message of a mebibyte has no more, unless its characters expand. */
const MOST_RECORD_CHARS = 1_048_576;
/** Characters that are coded in pairs; a mebibyte holds fewer of Han, kana or Thai. */
const MOST_CODED_CHARS = 400_000;

export interface MessageText {
  readonly accountId: string;
  readonly content: string;
}

/** The numbers of a sparse vector, as they cross from a thread. */
export interface AnalysedVector {
  readonly indices: Uint32Array;
  readonly values: Float64Array;
}

export interface AnalysedPassage {
  readonly text: string;
  /** Code points of the received content before it; null where that is not known. */
  readonly beginsAt: number | null;
  readonly textHash: string;
  readonly sparse: AnalysedVector;
}

export interface MessageAnalysis {
  readonly passages: readonly AnalysedPassage[];
  /** Distinct, ascending. */
  readonly termIds: Uint32Array;
  /** What the full-text index is given: folded words, and coded pairs. */
  readonly text: string;
  readonly coded: string;
}

/** SHA-256 in hex: whether a text is the one a vector was made of. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function analysePassage(accountId: string, text: string, beginsAt: number | null): AnalysedPassage {
  const { terms, length } = analyze(foldingWithin(text, MOST_PASSAGE_CHARS));
  const { indices, values } = pointVector(accountId, terms, length);
  return {
    text,
    beginsAt,
    textHash: textHash(text),
    sparse: { indices: Uint32Array.from(indices), values: Float64Array.from(values) },
  };
}

/**
 * `masked` is the content without its secrets: points and frequencies are made of it. It is masked before it is
 * cut, because no rule would recognise half a secret. The record in Meilisearch keeps the content as it was received.
 */
export function analyseMessage(
  { accountId, content }: MessageText,
  masked: string,
): MessageAnalysis {
  const placed = placedPassagesOf(masked).slice(0, MOST_PASSAGES);
  const places = placesOf(content, masked, placed);
  const passages = placed.map(({ text }, n) => analysePassage(accountId, text, places[n] ?? null));
  const termIds = new Set<number>();
  for (const { sparse } of passages) {
    for (const id of sparse.indices) if (termIds.size < MOST_TERMS) termIds.add(id);
  }
  const folded = foldingWithin(content, MOST_RECORD_CHARS);
  return {
    passages,
    termIds: Uint32Array.from(termIds).sort(),
    text: words(folded).join(' '),
    coded: quotedBigrams(foldingWithin(folded, MOST_CODED_CHARS)),
  };
}
