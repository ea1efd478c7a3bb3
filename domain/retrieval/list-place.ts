/** A place in the list of statements, which is ordered by confidence, then the newest, then by id. */
export interface ListPlace {
  /** 0 to 1. */
  readonly confidence: number;
  /**
   * ISO 8601 UTC, with the microseconds that Postgres keeps: all statements of one commit hold the same instant, so a
   * shorter one would stand before or after all of them.
   */
  readonly recordedAt: string;
  readonly id: string;
}
