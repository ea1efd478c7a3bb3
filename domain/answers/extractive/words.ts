/** How the answerer reads texts: given from outside, because stems and lists of words need a library and a language. */

/** A word that may stand for another. */
export interface RelatedTerm {
  readonly stem: string;
  /** Between 0 and 1. */
  readonly strength: number;
}

/** Every function is linear in the length of its text. */
export interface TextReader {
  /** The content terms of a text in order, repetitions kept: stems, words of a dictionary or pairs of characters. */
  readonly termsOf: (text: string) => readonly string[];
  readonly relatedTo: (term: string) => readonly RelatedTerm[];
  /** Whether a term says how a question is to be answered, not what it is about. */
  readonly framesQuestion: (term: string) => boolean;
  /** The words of a question that its capitals show to be names; none in a language that capitals show nothing in. */
  readonly namesIn: (question: string) => readonly string[];
  /** The terms of the day of an instant (ISO 8601), as a question may name it; none where it is no instant. */
  readonly dayTerms: (instant: string) => readonly string[];
  readonly hasTimeCue: (text: string) => boolean;
  readonly asksWhen: (question: string) => boolean;
  /** The time that a question names, ISO 8601, half-open; null where it names none. */
  readonly timeAsked: (
    question: string,
    referenceTime: string,
  ) => { readonly from: string | null; readonly until: string | null } | null;
}
