import type { BatchingDescription } from '../../domain/extraction/batching.ts';

/** What this build extracts with. */
export interface ExtractionBuild {
  /** A commit id, or `dev`. */
  readonly buildSha: string;
  readonly promptVersion: string;
  readonly pipelineVersion: string;
  readonly batching: BatchingDescription;
}
