/** A stretch of an anchor's content, in code units, that its speaker asks to be forgotten. */
export interface Withdrawal {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** Whether it names a person or opens a door: an e-mail address, a telephone number, a code. */
  readonly opensDoor: boolean;
}
