/** Who says what is served of texts while something is to be forgotten. */
import type { AttributeClaim } from '../statements/attributes.ts';
import type { JudgedPlace } from './holds.ts';

/** What is served of a text; null: nothing. */
export interface ServedMessage {
  readonly id: string;
  readonly text: string | null;
}

/** What is served of a statement, with the claim about an attribute that the served words still make. */
export interface ServedStatement extends ServedMessage {
  readonly claim: AttributeClaim | null;
  /** What is served of the wordings that sources gave it, by the id of the message. */
  readonly wordings: Readonly<Record<string, string | null>>;
}

/** A statement as it was said. */
export interface SaidStatement {
  readonly id: string;
  readonly text: string;
  readonly claim: AttributeClaim | null;
  /** Key and name of the person that it is about; none for a scope. */
  readonly subjectNames: readonly string[];
  /** The wordings that sources gave it, by the id of the message. */
  readonly wordings: Readonly<Record<string, string>>;
  readonly place: JudgedPlace;
}

/** A value of an open hold that somebody else had said before. */
export interface ForeignValue {
  readonly holdId: string;
  /** Lower-case hex. */
  readonly hash: string;
}

/** Says what is served of texts, by the holds of one edition. */
export interface TextJudge {
  readonly edition: number;
  /** What is served of a message; null: nothing. */
  message(text: string, place: JudgedPlace): Promise<string | null>;
  statement(said: SaidStatement): ServedStatement;
  /**
   * Values in a text of somebody else, said at that time (ISO 8601), which are no more the requester's own: somebody else said them
   * before, and where they stand in a statement about the requester, of somebody else.
   */
  foreign(text: string, place: JudgedPlace, saidAt: string): Promise<readonly ForeignValue[]>;
}

/** Of an account in which nothing was ever asked to be forgotten. */
export const JUDGES_NOTHING: TextJudge = {
  edition: 0,
  message: (text) => Promise.resolve(text),
  statement: ({ claim, id, text, wordings }) => ({ id, text, claim, wordings }),
  foreign: () => Promise.resolve([]),
};
