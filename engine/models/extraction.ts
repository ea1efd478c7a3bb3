/** Types of an extraction call, shared by the gateway and by the prompt that it is given. */
import type { Candidate, ExtractionRequest } from '../../domain/extraction/candidate.ts';
import type { GradedCandidate } from '../../domain/extraction/confidence.ts';
import type { ModelFailure } from '../../domain/models/error-class.ts';
import type { ExtractionIdentity } from '../../domain/models/identity.ts';
import type { CallOrigin } from '../../domain/models/ledger.ts';
import type { TokenUsage } from '../../domain/models/usage.ts';
import type { GenerationModel } from './generation.ts';

/** What a call is made for, and the signal that ends it. */
export interface CallContext extends CallOrigin {
  readonly signal: AbortSignal;
  /** Who asks, where what is remembered of the call must not serve others. */
  readonly asker?: string;
  /** What texts to embed are: a text that is looked for, or one that is kept. `document` unless given. */
  readonly purpose?: 'query' | 'document';
}

/** A call that is made for no run and about no observation. */
export function callAside(
  call: Pick<CallContext, 'accountId' | 'traceId' | 'signal' | 'asker' | 'purpose'>,
): CallContext {
  return { ...call, runId: null, anchorMessageIds: [] };
}

/** What was proposed for one anchor. */
export interface Proposed<C> {
  readonly candidates: readonly C[];
  /** Proposed statements that were still invalid after the last repair. */
  readonly rejected: number;
}

/** The result of a call for one of its anchors. */
export type AnchorAnswer<C> =
  | (Proposed<C> & { readonly failure: null })
  | { readonly failure: ModelFailure };

/** What a call and its repairs took. */
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
