/** What retrieval is built of. */
import { type ModelRoles } from '../../domain/models/role-config.ts';
import type { EmbedderAbility } from '../../engine/models/ability.ts';
import type { ModelGateway } from '../../engine/models/gateway.ts';
import { type TextWork } from '../../engine/offload/text-work.ts';
import type { SearchObserver } from '../../engine/retrieval/observer.ts';
import type { SourceSearchObserver } from '../../engine/source-search/observer.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { type SpacesDependencies } from './vector-spaces.ts';

export interface RetrievalDependencies {
  readonly inAccount: InAccount;
  /** Where the deployment's vector spaces are entered; absent where the configured one stands alone. */
  readonly db?: Queryable;
  /** Patience of `embeddings migrate`; the usual one unless given. */
  readonly migration?: Pick<SpacesDependencies, 'claimMs' | 'waitsMs'>;
  readonly qdrant: {
    readonly url: string;
    readonly apiKey: string | null;
  };
  readonly meilisearch: { readonly url: string; readonly masterKey: string | null };
  readonly models: ModelRoles;
  /** The gateway to the embedder and, if the reranker has a provider, to the reranker. */
  readonly gateway: Pick<ModelGateway, 'embed'> & Partial<Pick<ModelGateway, 'rerank'>>;
  /** Judges an embedder that is not the built-in one. */
  readonly ability?: EmbedderAbility | undefined;
  /** Where texts are analysed; on the event loop unless given. */
  readonly text?: TextWork;
  /** The least cosine at which statements count as saying the same in other words; null keeps them separate. */
  readonly paraphraseCosine: number | null;
  readonly log: Log;
  /** Tells deployments and tests on shared indexes apart; `vouch` by default. */
  readonly indexPrefix?: string;
  /** Milliseconds for a search, for its parts and for a commit's search for paraphrases; replaces the usual limits. */
  readonly patienceMs?: number | undefined;
  readonly observer?: SearchObserver | undefined;
  readonly sourceObserver?: SourceSearchObserver | undefined;
}
