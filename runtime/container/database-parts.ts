/**
 * The parts of an environment that need Postgres and nothing else. Every process has them, and they are all that most
 * commands use.
 */
import type { DatabasePool } from 'slonik';
import { createVerifyChain } from '../../engine/audit/verify.ts';
import { vectorSpaceOf, type ModelRoleConfig } from '../../domain/models/role-config.ts';
import type { Demand } from '../../engine/demand.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import { AuditChainStore } from '../../stores/postgres/audit/audit-chain.store.ts';
import { Directory } from '../../stores/postgres/identity/directory.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import { openPool } from '../../stores/postgres/pool.ts';
import { Settlements } from '../../stores/postgres/observations/settlements.ts';
import type { Config, Settings } from '../config/index.ts';
import type { OnRecorded } from '../telemetry/observation-metrics.ts';
import { extractionBuildOf } from './batching.ts';
import { databaseTurns } from './database-turns.ts';
import { derivedKey } from './derived-key.ts';
import { buildJudges, holdKeysBy } from './forgetting.ts';
import { buildIdentity } from './identity.ts';
import { needed } from './needed.ts';
import { keyedHash } from '../identity/secrets.ts';
import { buildObserving } from './observations.ts';
import { buildPromiseList, promisedPathHashes } from './promises.ts';
import { buildRetention } from './retention.ts';
import type { Log } from '../../engine/logging/logger.ts';

/** The page of the workflows in the Temporal UI; null where no setting names the UI. */
function temporalUiOf({ SERVICE_TEMPORAL_UI_URL: ui, TEMPORAL_NAMESPACE: name }: Settings) {
  if (ui === undefined) return null;
  return `${ui.replace(/\/$/, '')}/namespaces/${encodeURIComponent(name)}/workflows`;
}

/** One word for the vector space of an embedder. */
function embedderSpaceOf(embedder: ModelRoleConfig): string {
  const space = vectorSpaceOf(embedder);
  if (space === null) return 'none';
  return `${space.provider}/${space.model}/${space.version}/${space.dimensions}`.slice(0, 255);
}

/** `demand` is given where accounts that crowd others are slowed. `log` is told when no promise can be written. */
export function openDatabase(
  settings: Settings,
  demand?: Demand,
  log?: Log,
): Promise<DatabasePool> {
  const maxPoolSize = settings.SERVICE_DATABASE_POOL_SIZE;
  const turns = databaseTurns(maxPoolSize, demand);
  const promises = buildPromiseList(settings, log);
  const judges = buildJudges(settings);
  return openPool(needed(settings.DATABASE_URL, 'DATABASE_URL'), {
    maxPoolSize,
    turns,
    promises,
    ...(judges !== undefined && { judges }),
  });
}

/** On a connection of its own, beside those of the pool. */
export function openSettlements({ DATABASE_URL: url }: Settings): Settlements {
  return new Settlements(needed(url, 'DATABASE_URL'));
}

export interface DatabasePartsDependencies {
  readonly config: Config;
  readonly db: DatabasePool;
  readonly inAccount: InAccount;
  readonly settlements: Settlements;
  readonly onRecorded?: OnRecorded | undefined;
  /** Told of what the retention could not do. */
  readonly log?: Log;
}

export type DatabaseParts = ReturnType<typeof buildDatabaseParts>;

/** @throws PreconditionError without a secret key. */
export function buildDatabaseParts({
  config,
  db,
  inAccount,
  settlements,
  onRecorded,
  log,
}: DatabasePartsDependencies) {
  const { settings, models } = config;
  const secretKey = needed(settings.SERVICE_SECRET_KEY, 'SERVICE_SECRET_KEY');
  return {
    inAccount,
    ...buildObserving(db, inAccount, settlements, onRecorded),
    directory: new Directory(db),
    verifyChain: createVerifyChain(new AuditChainStore(db)),
    ...buildIdentity({ db, attemptHashKey: derivedKey(secretKey, 'sign-in-attempts') }),
    audienceDigest: (names: string) =>
      keyedHash(derivedKey(secretKey, 'audiences'), 'audience', names),
    holdKeysOf: holdKeysBy(secretKey),
    promisedPathHash: promisedPathHashes(secretKey),
    extraction: extractionBuildOf(config),
    retention: buildRetention(db, settings, log),
    costProfile: config.costProfile,
    tokenLimits: config.settings.SERVICE_BUDGET_LIMITS_JSON,
    settings: {
      answerContextLimit: settings.SERVICE_ANSWER_CONTEXT_LIMIT,
      hasAnswerer: models.dialectic_agent.provider !== 'none',
      minimalRecall: settings.SERVICE_EXPERIMENTAL_MINIMAL_RECALL,
      passwordTokenTtlMs: settings.SERVICE_PASSWORD_TOKEN_TTL * 1000,
      tokensKeptDays: settings.SERVICE_RETENTION_TOKENS_DAYS,
      unattended: settings.SERVICE_UNATTENDED,
      embedderSpace: embedderSpaceOf(models.embedder),
      temporalUi: temporalUiOf(settings),
    },
  } satisfies Partial<Environment>;
}
