/** Pages of lists in the order of their ids, which is the order in which the rows were made (UUID version 7). */

/** Every id comes after it. */
export const LEAST_ID = '00000000-0000-0000-0000-000000000000';

export interface IdPage {
  /** The last id of the page before; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** A page of the rows of one peer, or of all. */
export interface IdPageOfPeer extends IdPage {
  readonly peerId: string | null;
}
