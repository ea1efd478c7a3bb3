/**
 * Embeds texts in requests of bounded size, each with a ledger row of its own, and checks that the vectors belong
 * to the configured vector space.
 */
import { ModelFailure } from '../../domain/error-class.ts';
import { NOTHING_USED, NO_USAGE, type TokenUsage } from '../../domain/models/usage.ts';
import type { ModelRoleConfig, RemoteRoleConfig } from '../../domain/models/role-config.ts';
import {
  embeddingHabitsOf,
  vectorSpaceOf,
  type EmbeddingHabits,
} from '../../domain/models/role-config.ts';
import type { VectorSpace } from '../../domain/models/vector-space.ts';
import type { Performed } from './attempt.ts';
import { inProcessCall, type Calls } from './calls.ts';
import type { CallContext } from './extraction.ts';
import type { MaskFor } from './masking.ts';
import type { Behalf } from '../behalf.ts';
import type { RemoteProvider } from './provider.ts';

const BYTES_PER_TOKEN = 4;

type Vectors = readonly (readonly number[])[];

export interface EmbeddingResult {
  /** One vector per text, in the order of the texts. */
  readonly vectors: Vectors;
  readonly space: VectorSpace;
  readonly usage: TokenUsage;
}

/** Embeds texts for the account of the call. */
export type Embed = (texts: readonly string[], call: CallContext) => Promise<EmbeddingResult>;
type Embedder = (texts: readonly string[], call: CallContext) => Promise<Performed<Vectors>[]>;

/** The built-in embedder: a vector per text. */
export type EmbedInProcess = (
  texts: readonly string[],
  behalf: Behalf,
) => Vectors | Promise<Vectors>;

/** Told of the width of the first vector of every call that was answered with one, whether it fits or not. */
export type OnWidth = (dimensions: number) => void;

/** The gateway's `embed`. A text gets the prefix of its purpose after it was masked. */
export function createEmbedder(
  config: ModelRoleConfig,
  calls: Calls,
  embedDeterministic: EmbedInProcess,
  maskFor: MaskFor,
  onWidth: OnWidth = () => {},
): Embed {
  const space = vectorSpaceOf(config);
  const embedder = embedderOf(config, calls, embedDeterministic);
  if (embedder === null || space === null) {
    return async () => {
      throw new ModelFailure('model_not_configured');
    };
  }
  return async (texts, call) => {
    if (texts.length === 0) return { vectors: [], space, usage: NO_USAGE };
    const { queryPrefix, documentPrefix } = embeddingHabitsOf(config);
    const prefix = call.purpose === 'query' ? queryPrefix : documentPrefix;
    const masked = await maskFor(call)(texts);
    const answers = await embedder(
      masked.map((text) => `${prefix}${text}`),
      call,
    );
    const width = answers.flatMap(({ value }) => value).at(0)?.length;
    if (width !== undefined) onWidth(width);
    const vectors: (readonly number[])[] = [];
    for (const answer of answers) {
      if (answer.errorClass !== null) throw new ModelFailure(answer.errorClass);
      vectors.push(...answer.value);
    }
    return { vectors, space, usage: { ...NO_USAGE, embeddingTokens: sumTokens(answers) } };
  };
}

function embedderOf(
  config: ModelRoleConfig,
  calls: Calls,
  embedDeterministic: EmbedInProcess,
): Embedder | null {
  if (config.provider === 'none') return null;
  if (config.provider === 'deterministic') {
    const asked = inProcessCall('embedder', config, null);
    return async (texts, call) => {
      // Nothing is paid for it, nothing waits for it, and no budget governs it: a row would say nothing.
      const answer = await calls.runUnrecorded(asked, call, async (signal) => {
        const vectors = await embedDeterministic(texts, { accountId: call.accountId, signal });
        return checked(texts, vectors, NOTHING_USED, config.dimensions);
      });
      return [answer];
    };
  }
  const provider = calls.provider('embedder');
  return provider === null ? null : remoteEmbedder(config, provider, calls);
}

function remoteEmbedder(
  config: RemoteRoleConfig,
  provider: RemoteProvider,
  calls: Calls,
): Embedder {
  const { dimensions, timeoutMs } = config;
  const habits = embeddingHabitsOf(config);
  const common = {
    role: 'embedder',
    config,
    promptVersion: null,
    repairIndex: 0,
    timeoutMs,
  } as const;
  return async (texts, call) => {
    const answers: Performed<Vectors>[] = [];
    for (const batch of batchesOf(texts, habits)) {
      const bytes = batch.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      const asked = { ...common, worstCase: { ...NOTHING_USED, embeddingTokens: bytes } };
      const answer = await calls.run(asked, call, async (signal) => {
        const { vectors, usage } = await provider.embed(batch, signal);
        return checked(batch, vectors, usage, dimensions);
      });
      answers.push(answer);
      if (answer.errorClass !== null) break;
    }
    return answers;
  };
}

/** Consecutive texts in requests of bounded size; a text that is too long by itself is sent alone. */
export function batchesOf(
  texts: readonly string[],
  { batchTexts, batchTokens }: Pick<EmbeddingHabits, 'batchTexts' | 'batchTokens'>,
): string[][] {
  const batches: string[][] = [];
  let [batch, tokens]: [string[], number] = [[], 0];
  for (const text of texts) {
    const own = Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
    if (batch.length > 0 && (batch.length >= batchTexts || tokens + own > batchTokens)) {
      batches.push(batch);
      [batch, tokens] = [[], 0];
    }
    batch.push(text);
    tokens += own;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/** A vector of another width cannot go into the collection; a missing one would shift all that follow. */
function checked(
  texts: readonly string[],
  vectors: Vectors,
  usage: TokenUsage,
  dimensions: number | null,
): Performed<Vectors> {
  const metered = usage.embeddingTokens !== null;
  if (vectors.length !== texts.length) {
    return { value: [], usage, metered, errorClass: 'provider_upstream_error' };
  }
  const fits = vectors.every((vector) => vector.length === dimensions);
  return { value: vectors, usage, metered, errorClass: fits ? null : 'embedding_width_mismatch' };
}

function sumTokens(answers: readonly Performed<Vectors>[]): number | null {
  let sum = 0;
  for (const { usage } of answers) {
    if (usage.embeddingTokens === null) return null;
    sum += usage.embeddingTokens;
  }
  return sum;
}
