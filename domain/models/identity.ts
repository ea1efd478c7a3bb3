/**
 * The identity of the model that answered, as provenance, readiness and the ledger name it.
 * It is built from configuration only, never from what a provider says about itself.
 */
import type { ModelProvider } from './roles.ts';

/** Prompt version of a provider that is not prompted. */
export const NO_PROMPT = 'none';

export interface ModelIdentity {
  readonly provider: ModelProvider;
  readonly model: string;
  readonly modelVersion: string;
}

/** Identity of an extraction: the model, the version of its prompt, and of the pipeline that read its answer. */
export interface ExtractionIdentity extends ModelIdentity {
  readonly promptVersion: string;
  readonly pipelineVersion: string;
}

/** A role as readiness shows it; `model` and `version` are null for a role set to `none`. */
export interface ModelDescription {
  readonly provider: ModelProvider;
  readonly model: string | null;
  readonly version: string | null;
  readonly dimensions: number | null;
}
