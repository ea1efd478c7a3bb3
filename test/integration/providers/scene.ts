/** One observation through the real pipeline: gateway, ledger, circuits, Postgres and Qdrant, and a stub endpoint. */
import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../domain/identity/caller.ts';
import {
  DETERMINISTIC_DIMENSIONS,
  type ModelRoleConfig,
  type ModelRoles,
} from '../../../domain/models/role-config.ts';
import type { TokenLimits } from '../../../domain/models/token-limits.ts';
import type { ModelRole } from '../../../domain/models/roles.ts';
import type { BatchProcessor } from '../../../engine/extraction/pipeline.ts';
import { buildModelGateway } from '../../../runtime/container/models.ts';
import { buildRetrieval, type Retrieval } from '../../../runtime/container/retrieval.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { testServers } from '../../support/environment.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { NO_ROLES } from '../../unit/models/fixtures.ts';
import { drainOnce, pipeline } from '../extraction/scene.ts';
import { Scene } from '../observations/scene.ts';
import { dropIndexes } from '../../support/indexes.ts';

const EMBEDDER = {
  provider: 'deterministic',
  model: 'hashed-ngrams',
  modelVersion: '1',
  dimensions: DETERMINISTIC_DIMENSIONS,
} as const;
const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

export interface LedgerEntry {
  readonly state: string;
  readonly error_class: string | null;
  readonly metered: boolean;
  readonly repair_index: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
}

export interface ProviderScene {
  readonly scene: Scene;
  /** The pipeline with this extractor; circuits open after five failures, for half a minute. */
  processor(extractor: ModelRoleConfig, limits?: TokenLimits): BatchProcessor;
  /** Works through what is due now, once. */
  extract(accountId: string, processor: BatchProcessor): Promise<void>;
  /** The rows of an account for a role, the extractor's unless another is named, in the order of their calls. */
  ledger(accountId: string, role?: ModelRole): Promise<readonly LedgerEntry[]>;
  /** Statements of an account that Qdrant holds. */
  indexed(accountId: string): Promise<number>;
  /** An account whose agent relays for others. */
  account(): Promise<{ readonly id: string; readonly agent: Caller }>;
  close(): Promise<void>;
}

export async function openProviderScene(
  embedder: ModelRoleConfig = EMBEDDER,
): Promise<ProviderScene> {
  const scene = await Scene.open();
  const prefix = `p${randomBytes(5).toString('hex')}`;
  const roles = (extractor: ModelRoleConfig): ModelRoles => ({
    ...NO_ROLES,
    ingest_extractor: extractor,
    embedder,
  });
  const gatewayOf = (extractor: ModelRoleConfig, limits: TokenLimits = {}) =>
    buildModelGateway({
      db: scene.pool,
      roles: roles(extractor),
      settings: {
        SERVICE_BUDGET_LIMITS_JSON: limits,
        SERVICE_CIRCUIT_FAILURES: 5,
        SERVICE_CIRCUIT_OPEN_SECONDS: 30,
      },
      doorbell: { ring: (mailbox) => void scene.rung.push(mailbox) },
      log: SILENT,
    });
  const retrieval: Retrieval = buildRetrieval({
    inAccount: createRefusingInAccount(scene.pool),
    ...testServers(),
    models: roles(NO_ROLES.ingest_extractor),
    gateway: gatewayOf(NO_ROLES.ingest_extractor),
    paraphraseCosine: null,
    log: SILENT,
    indexPrefix: prefix,
    patienceMs: HANGS_MS,
  });
  await retrieval.ensureIndexes();

  return {
    scene,
    processor: (extractor, limits) =>
      pipeline(scene, {
        around: (parts) => ({
          ...parts,
          gateway: gatewayOf(extractor, limits),
          // All the time it needs: how long an observation waits for Qdrant is tested elsewhere.
          indexer: {
            indexStatements: (input) =>
              retrieval.indexer.indexStatements({ ...input, timeoutMs: HANGS_MS }),
          },
        }),
      }),
    async extract(accountId, processor) {
      await drainOnce(scene, accountId, processor);
    },
    async ledger(accountId, role = 'ingest_extractor') {
      const rows = await scene.admin.query<LedgerEntry>(
        `select state, error_class, metered, repair_index, input_tokens::integer, output_tokens::integer
         from provider_attempts where account_id = $1 and role = $2
         order by reserved_at, repair_index`,
        [accountId, role],
      );
      return rows.rows;
    },
    async indexed(accountId) {
      const signal = AbortSignal.timeout(HANGS_MS);
      const { indexes } = await retrieval.indexes.verify(accountId, signal);
      const found = indexes.find(({ engine, unit }) => engine === 'qdrant' && unit === 'statement');
      if (found === undefined) throw new Error('Qdrant was not asked');
      return found.present;
    },
    async account() {
      const id = await scene.account();
      return { id, agent: await scene.caller(id, { key: 'relay' }) };
    },
    async close() {
      await dropIndexes(prefix);
      await scene.close();
    },
  };
}
