import type { BatchingDescription } from '../../domain/extraction/batching.ts';

/** The extraction identity of this build. */
export interface ExtractionBuild {
  /** A commit id, or `dev`. */
  readonly buildSha: string;
  readonly promptVersion: string;
  readonly pipelineVersion: string;
  readonly batching: BatchingDescription;
}
