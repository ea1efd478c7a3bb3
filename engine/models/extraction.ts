/** Types of an extraction call, shared by the gateway and by the prompt that it is given. */
import type { Candidate, ExtractionRequest } from '../../domain/extraction/candidate.ts';
import type { GradedCandidate } from '../../domain/extraction/confidence.ts';
import type { ModelFailure } from '../../domain/models/error-class.ts';
import type { ExtractionIdentity } from '../../domain/models/identity.ts';
import type { CallOrigin, TokenUsage } from '../../domain/models/ledger.ts';
import type { GenerationModel } from './generation.ts';

/** On whose behalf, and until when, a call is made. */
export interface CallContext extends CallOrigin {
  readonly signal: AbortSignal;
}

export interface ExtractionResult {
  readonly candidates: readonly GradedCandidate[];
  readonly identity: ExtractionIdentity;
  /** Sum over all attempts; null when any of them was not metered. */
  readonly usage: TokenUsage;
  /** Calls that were answered: 1, or up to 3 with repairs; 0 when there was nothing to ask. */
  readonly attempts: number;
  /** Proposed statements that were still invalid after the last repair. */
  readonly rejected: number;
}

export interface ModelExtraction {
  readonly candidates: readonly Candidate[];
  readonly promptVersion: string;
  readonly usage: TokenUsage;
  readonly attempts: number;
  readonly rejected: number;
}

export type ExtractWithModel = (
  model: GenerationModel,
  request: ExtractionRequest,
) => Promise<ModelExtraction>;

/** What a call for several anchors came to for one of them. */
export type AnchorAnswer<C> =
  | { readonly candidates: readonly C[]; readonly rejected: number; readonly failure: null }
  | { readonly failure: ModelFailure };

export interface ModelBatchExtraction {
  /** In the order of the requests. */
  readonly answers: readonly AnchorAnswer<Candidate>[];
  readonly promptVersion: string;
  readonly usage: TokenUsage;
  readonly attempts: number;
}

export interface BatchExtractionResult extends Omit<
  ModelBatchExtraction,
  'answers' | 'promptVersion'
> {
  /** In the order of the requests. */
  readonly answers: readonly AnchorAnswer<GradedCandidate>[];
  readonly identity: ExtractionIdentity;
}

export type ExtractBatchWithModel = (
  model: GenerationModel,
  requests: readonly ExtractionRequest[],
) => Promise<ModelBatchExtraction>;
