/** What a message asserts, told in the third person. */
import type { WorthRule } from './worth/rules.ts';

export interface Assertion {
  /** Verbatim, a substring of the message. */
  readonly span: string;
  readonly statement: string;
  readonly subjectRef: string;
  /** The part of the span that dates it. */
  readonly dated: string;
  /** Another message that says what it refers to. */
  readonly alsoFrom: string | null;
  /** Null for a sentence of another language. */
  readonly rule: WorthRule | null;
  /** Whether it leans on what stands around it. */
  readonly isCleared: boolean;
}

/** An assertion and where its span stands in the message. */
export interface PlacedAssertion extends Assertion {
  readonly start: number;
  readonly end: number;
}

/** A clause or a sentence, where it stands in the message. */
export interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Clause extends Piece {
  /** The whole sentence that it is a part of. */
  readonly sentence: string;
}
