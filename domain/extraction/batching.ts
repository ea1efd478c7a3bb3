/** How observations share a call to the extractor, as answers and evidence name it. */
export interface Batching {
  readonly enabled: boolean;
  /** Names the parameters: another value means that calls are put together otherwise. */
  readonly identity: string;
}

/** One observation, one call. */
export const BATCHING: Batching = { enabled: false, identity: 'single-1' };
