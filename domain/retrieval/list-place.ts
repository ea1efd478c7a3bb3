/** A place in the list of statements, which is ordered by confidence, then the newest, then by id. */
export interface ListPlace {
  /** 0 to 1. */
  readonly confidence: number;
  /** ISO 8601 UTC, with milliseconds. */
  readonly recordedAt: string;
  readonly id: string;
}
