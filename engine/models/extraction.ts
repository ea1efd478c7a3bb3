/** Types of an extraction call, shared by the gateway and by the prompt that it is given. */
import type { Candidate, ExtractionRequest } from '../../domain/statements/candidate.ts';
import type { GradedCandidate } from '../../domain/statements/confidence.ts';
import type { ModelFailure } from '../../domain/error-class.ts';
import type { ExtractionIdentity } from '../../domain/models/identity.ts';
import type { CallOrigin } from '../../domain/models/ledger.ts';
import type { TokenUsage } from '../../domain/models/usage.ts';
import type { GenerationModel } from './generation.ts';

/** The purpose of a call, and the signal that ends it. */
export interface CallContext extends CallOrigin {
  readonly signal: AbortSignal;
  /** The caller, if a cached answer to the call must not serve other callers. */
  readonly asker?: string;
  /** The use of texts to embed: to search, or to store. `document` unless given. */
  readonly purpose?: 'query' | 'document';
}

/** A call without a run and without an observation. */
export function callAside(
  call: Pick<CallContext, 'accountId' | 'traceId' | 'signal' | 'asker' | 'purpose'>,
): CallContext {
  return { ...call, runId: null, anchorMessageIds: [] };
}

/** The proposals for one anchor. */
export interface Proposed<C> {
  readonly candidates: readonly C[];
  /** Proposed statements that were still invalid after the last repair. */
  readonly rejected: number;
}

/** The result of a call for one of its anchors. */
export type AnchorAnswer<C> =
  | (Proposed<C> & { readonly failure: null })
  | { readonly failure: ModelFailure };

/** The cost of a call and its repairs. */
export interface ExtractionEffort {
  /** Sum over all attempts; null when any of them was not metered. */
  readonly usage: TokenUsage;
  /** Calls that were answered: 1, or up to 3 with repairs; 0 when there was nothing to ask. */
  readonly attempts: number;
}

export interface ModelExtraction extends ExtractionEffort {
  /** In the order of the requests. */
  readonly answers: readonly AnchorAnswer<Candidate>[];
  readonly promptVersion: string;
}

export type ExtractWithModel = (
  model: GenerationModel,
  requests: readonly ExtractionRequest[],
) => Promise<ModelExtraction>;

export interface BatchExtractionResult extends ExtractionEffort {
  /** In the order of the requests. */
  readonly answers: readonly AnchorAnswer<GradedCandidate>[];
  readonly identity: ExtractionIdentity;
}

export interface ExtractionResult extends ExtractionEffort, Proposed<GradedCandidate> {
  readonly identity: ExtractionIdentity;
}
