/** Builds what the operations on extraction need, on the pool of the process and its actors. */
import { describeBatching } from '../../domain/extraction/batching.ts';
import { PIPELINE_IDENTITY } from '../../domain/identities.ts';
import { NO_PROMPT } from '../../domain/models/identity.ts';
import { parseScopePath, type ScopePath } from '../../domain/scopes/path.ts';
import { PROMPT_VERSION } from '../../engine/extraction/model/prompt.ts';
import { isRemote } from '../../engine/models/calls.ts';
import type { BudgetRequest, ExtractionServices } from '../../operations/extraction/ports.ts';
import { recordAudit } from '../../stores/postgres/audit.store.ts';
import { withRefusals } from '../../stores/postgres/errors.ts';
import {
  registerBudget,
  type RegisteredBudget,
} from '../../stores/postgres/extraction-budgets.store.ts';
import {
  readExtractionEvidence,
  readSubtree,
  type ExtractionEvidence,
} from '../../stores/postgres/extraction-evidence.store.ts';
import { withAccount, type Queryable } from '../../stores/postgres/pool.ts';
import { clearRequeueToken, requeueAnchor } from '../../stores/postgres/requeue.store.ts';
import type { Actors } from '../actors/actors.ts';
import type { Config } from '../config/index.ts';
import { errorFields, type Log } from '../logger.ts';
import { batchingOf } from './batching.ts';

const RING_WITHIN_MS = 1_000;

export interface ExtractionServiceDependencies {
  readonly db: Queryable;
  readonly actors: Pick<Actors, 'ring'>;
  readonly config: Pick<Config, 'settings' | 'models'>;
  /** A commit id, or `dev`. */
  readonly buildSha: string;
  readonly log: Pick<Log, 'warn'>;
}

async function register(tx: Queryable, request: BudgetRequest): Promise<RegisteredBudget> {
  const { accountId, credentialId, peerId, ...limits } = request;
  const budget = await registerBudget(tx, accountId, limits);
  await recordAudit(tx, [
    {
      accountId,
      category: 'configuration',
      action: budget.is_new ? 'extraction_budget.registered' : 'extraction_budget.changed',
      actor: { kind: 'credential', credentialId, peerId },
      resourceType: 'extraction_budget',
      resourceId: budget.id,
      metadata: {
        request_cap: limits.requestCap,
        token_cap: limits.tokenCap,
        usd_micros_cap: limits.usdMicrosCap,
        deadline_at: limits.deadlineAt,
        input_usd_micros_per_million: limits.inputUsdMicrosPerMillion,
        output_usd_micros_per_million: limits.outputUsdMicrosPerMillion,
      },
    },
  ]);
  return budget;
}

async function readEvidence(
  tx: Queryable,
  root: ScopePath,
  isReadable: (path: ScopePath) => boolean,
): Promise<ExtractionEvidence | null> {
  const scopes = (await readSubtree(tx, root)).filter(({ path }) => {
    const parsed = parseScopePath(path);
    return parsed !== null && isReadable(parsed);
  });
  if (!scopes.some(({ path }) => path === root)) return null;
  const row = await readExtractionEvidence(
    tx,
    scopes.map(({ id }) => id),
  );
  return { ...row, scopes: scopes.length };
}

export function buildExtractionServices(
  dependencies: ExtractionServiceDependencies,
): ExtractionServices {
  const { db, actors, config, buildSha, log } = dependencies;
  const inAccount = <T>(accountId: string, work: (tx: Queryable) => Promise<T>): Promise<T> =>
    withRefusals(() => withAccount(db, accountId, work));
  return {
    build: {
      buildSha,
      promptVersion: isRemote(config.models.ingest_extractor) ? PROMPT_VERSION : NO_PROMPT,
      pipelineVersion: PIPELINE_IDENTITY,
      batching: describeBatching(batchingOf(config)),
    },
    registerBudget: (request) => inAccount(request.accountId, (tx) => register(tx, request)),
    readEvidence: (accountId, root, isReadable) =>
      inAccount(accountId, (tx) => readEvidence(tx, root, isReadable)),
    requeue: (request, isVisible) =>
      inAccount(request.accountId, (tx) => requeueAnchor(tx, request, isVisible)),
    async ringNow(mailbox) {
      try {
        await actors.ring(mailbox, RING_WITHIN_MS);
        return true;
      } catch (error) {
        log.warn('requeue.unheard', errorFields(error));
        return false;
      }
    },
    requeueHeard: (accountId, messageId, runId) =>
      inAccount(accountId, (tx) => clearRequeueToken(tx, messageId, runId)),
  };
}
