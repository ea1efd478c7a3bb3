/** What scoring reads of a passage beside its words. A point that does not say it counts as false. */
export interface PassageTraits {
  readonly isShortQuestion: boolean;
  readonly hasTimeCue: boolean;
  /** The message says something that can be kept: the deterministic extractor draws a statement from it. */
  readonly saysSomething: boolean;
  /** An assistant said the message, or one of the two turns before or after it. */
  readonly isWithAssistant: boolean;
}

export const NO_TRAITS: PassageTraits = {
  isShortQuestion: false,
  hasTimeCue: false,
  saysSomething: false,
  isWithAssistant: false,
};
