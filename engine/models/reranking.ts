/** Has documents judged by how well they fit a query, in one request with a ledger row of its own. */
import { ModelFailure } from '../../domain/error-class.ts';
import { isRemote, type ModelRoleConfig } from '../../domain/models/role-config.ts';
import { judgementsIn, type Judgement } from '../../domain/retrieval/reranking.ts';
import { NOTHING_USED, type TokenUsage } from '../../domain/models/usage.ts';
import type { Performed } from './attempt.ts';
import type { Calls } from './calls.ts';
import type { CallContext } from './extraction.ts';
import type { MaskFor } from './masking.ts';

export interface Reranking {
  /** Of some or all documents; null when the answer was none of them or contradicted itself. */
  readonly judgements: readonly Judgement[] | null;
  readonly usage: TokenUsage;
}

/** Asks once, for the account of the call. No documents make no call. */
export type Rerank = (
  asked: { readonly query: string; readonly documents: readonly string[] },
  call: CallContext,
) => Promise<Reranking>;

/** The gateway's `rerank`. */
export function createRerank(config: ModelRoleConfig, calls: Calls, maskFor: MaskFor): Rerank {
  const provider = calls.provider('reranker');
  if (provider === null || !isRemote(config)) {
    return async () => {
      throw new ModelFailure('model_not_configured');
    };
  }
  return async (asked, call) => {
    if (asked.documents.length === 0) return { judgements: [], usage: NOTHING_USED };
    const [query = '', ...documents] = await maskFor(call)([asked.query, ...asked.documents]);
    const made = {
      role: 'reranker',
      config,
      promptVersion: null,
      repairIndex: 0,
      worstCase: { ...NOTHING_USED, inputTokens: mostTokens(query, documents) },
      timeoutMs: config.timeoutMs,
    } as const;
    const { value, usage } = await calls.run(made, call, async (signal) => {
      const answer = await provider.rerank({ query, documents, signal });
      return judged(answer.rankings, documents.length, answer.usage);
    });
    return { judgements: value, usage };
  };
}

/** No tokenizer makes more tokens than there are bytes; the query is read with each document. */
function mostTokens(query: string, documents: readonly string[]): number {
  const bytes = documents.reduce((sum, document) => sum + Buffer.byteLength(document), 0);
  return bytes + documents.length * Buffer.byteLength(query);
}

/** The row of an answer that cannot be used is one that failed. */
function judged(
  rankings: unknown,
  documents: number,
  usage: TokenUsage,
): Performed<readonly Judgement[] | null> {
  const value = judgementsIn(rankings, documents);
  const errorClass = value === null ? 'structured_validation_failed' : null;
  return { value, usage, metered: usage.rerankerTokens !== null, errorClass };
}
