/**
 * Cuts and analyses a message once for everything that is made of it. The results are bounded whatever the characters
 * expand to: one character may fold to eighteen, and a pair of characters is coded in nine. Pure but for hashing.
 */
import { createHash } from 'node:crypto';
import type { WeightedTerms } from '../../domain/ranking/bag.ts';
import { pointVector } from '../../domain/ranking/sparse.ts';
import { termId } from '../../domain/ranking/term-id.ts';
import { foldingWithin } from '../../domain/text/fold.ts';
import { words } from '../../domain/text/tokens.ts';
import { isEvidenceRole } from '../../domain/observations/roles.ts';
import { statesSomething } from '../english-extractor/states.ts';
import { quotedBigrams } from '../text/quoted-bigrams.ts';
import { readUnit, type UnitReading } from '../text/ranked-unit.ts';
import { placedPassagesOf, type PlacedPassage } from './passages.ts';
import { placesOf } from './places.ts';
import { bagsOf, hearsAssistant, type Surroundings } from './surroundings.ts';

/** Four times what a passage has before it is folded: no ordinary text of any script grows so far. */
const MOST_PASSAGE_CHARS = 4_800;
/** A mebibyte of ordinary text has half as many terms. Each term is a row of the frequencies. */
const MOST_TERMS = 65_536;
/** A message of a mebibyte has no more, unless its characters expand. */
const MOST_RECORD_CHARS = 1_048_576;
/** Characters that are coded in pairs; a mebibyte holds fewer of Han, kana or Thai. */
const MOST_CODED_CHARS = 400_000;
/** What is read of a message, in UTF-16 code units, to see whether it says something that can be kept. */
const MOST_JUDGED_CHARS = 8_192;

export interface MessageText {
  readonly accountId: string;
  readonly content: string;
  /** Who said it to whom, and what was said before and after; null of a chunk of a document. */
  readonly surroundings: Surroundings | null;
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
  /** The vector of its bag: its own words, and those that it takes from what stands around it. */
  readonly sparse: AnalysedVector;
  readonly isShortQuestion: boolean;
  readonly hasTimeCue: boolean;
}

export interface MessageAnalysis {
  readonly passages: readonly AnalysedPassage[];
  /** Whether the deterministic extractor draws a statement from it. */
  readonly saysSomething: boolean;
  /** Whether an assistant said it, or one of the two turns before or after. */
  readonly isWithAssistant: boolean;
  /** Of its own words; distinct, ascending. */
  readonly termIds: Uint32Array;
  /** What the full-text index is given: folded words, and coded pairs. */
  readonly text: string;
  readonly coded: string;
}

const NO_TERMS: WeightedTerms = { terms: new Map(), length: 0 };

/** SHA-256 in hex: whether a text is the one a vector was made of. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A text, cut into passages, and what is read out of each. */
export interface ReadText {
  readonly placed: readonly PlacedPassage[];
  readonly readings: readonly UnitReading[];
}
export type ReadPassages = (text: string) => ReadText;

/**
 * Reads texts, each once: in a conversation every message is read for the two before and after it too. It holds what it
 * has read, so it is made for one group of texts. Characters that expand are cut off.
 */
export function createPassageReader(): ReadPassages {
  const known = new Map<string, ReadText>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const placed = placedPassagesOf(text);
    const readings = placed.map((one) => readUnit(foldingWithin(one.text, MOST_PASSAGE_CHARS)));
    known.set(text, { placed, readings });
    return { placed, readings };
  };
}

/** The vector of a bag, as it crosses from a thread. */
export function bagVector(accountId: string, { terms, length }: WeightedTerms): AnalysedVector {
  const { indices, values } = pointVector(accountId, terms, length);
  return { indices: Uint32Array.from(indices), values: Float64Array.from(values) };
}

function saysSomething(masked: string, { role }: Surroundings): boolean {
  return isEvidenceRole(role) && statesSomething(masked.slice(0, MOST_JUDGED_CHARS).toWellFormed());
}

/**
 * `masked` is the content without its secrets: points and frequencies are made of it, as of the texts around it. It is
 * masked before it is cut, because no rule would recognise half a secret. The record in Meilisearch keeps the content as
 * it was received.
 */
export function analyseMessage(
  { accountId, content, surroundings }: MessageText,
  masked: string,
  read: ReadPassages = createPassageReader(),
): MessageAnalysis {
  const { placed, readings } = read(masked);
  const places = placesOf(content, masked, placed);
  const bags = bagsOf(readings, surroundings, (text) => read(text).readings);
  const passages = readings.map(({ isShortQuestion, hasTimeCue }, n): AnalysedPassage => {
    const text = placed[n]?.text ?? '';
    return {
      text,
      beginsAt: places[n] ?? null,
      textHash: textHash(text),
      sparse: bagVector(accountId, bags[n] ?? NO_TERMS),
      isShortQuestion,
      hasTimeCue,
    };
  });
  const folded = foldingWithin(content, MOST_RECORD_CHARS);
  return {
    passages,
    saysSomething: surroundings !== null && saysSomething(masked, surroundings),
    isWithAssistant: surroundings !== null && hearsAssistant(surroundings),
    termIds: ownTermIds(accountId, readings),
    text: words(folded).join(' '),
    coded: quotedBigrams(foldingWithin(folded, MOST_CODED_CHARS)),
  };
}

function ownTermIds(accountId: string, readings: readonly UnitReading[]): Uint32Array {
  const ids = new Set<number>();
  for (const { own } of readings) {
    for (const term of own.terms.keys()) {
      if (ids.size === MOST_TERMS) break;
      ids.add(termId(accountId, term));
    }
  }
  return Uint32Array.from(ids).sort();
}
