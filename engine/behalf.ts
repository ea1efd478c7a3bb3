/** The account of a piece of work in slots that accounts share, and the signal that ends the work. */
export interface Behalf {
  readonly accountId: string;
  readonly signal: AbortSignal;
}
