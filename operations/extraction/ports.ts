/** What operations may know of extraction. */
import type { BatchingDescription } from '../../domain/extraction/batching.ts';

export interface ExtractionServices {
  /** Whether and how anchors share calls to the extractor of this process. */
  readonly batching: BatchingDescription;
}
