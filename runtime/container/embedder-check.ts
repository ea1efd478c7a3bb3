/**
 * The check of the embedder at the start of a process: whether the collection of its vectors is ready, whether the
 * model returns vectors of the configured width, and how well it ranks. A wrong width ends the start, because the
 * service could store no vector. An embedder that does not answer does not end the start: searches compare words, and
 * `embedding_index` of ready shows a wrong width as soon as the model returns one.
 */
import { ModelFailure } from '../../domain/error-class.ts';
import { vectorSpaceOf, type ModelRoles } from '../../domain/models/role-config.ts';
import type { SpaceUpkeep } from '../../engine/indexes/spaces/upkeep.ts';
import { createEmbedderAbility, type EmbedderAbility } from '../../engine/models/ability.ts';
import type { ModelGateway } from '../../engine/models/gateway.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import { PreconditionError } from '../../stores/postgres/precondition-error.ts';
import type { Log } from '../../engine/logging/logger.ts';

export interface EmbedderCheckDependencies {
  readonly models: Pick<ModelRoles, 'embedder'>;
  /** Absent without an embedder, and for the built-in one. */
  readonly ability: EmbedderAbility | undefined;
  readonly gateway: Pick<ModelGateway, 'answeredWidth'>;
  readonly vectorSpaces: Pick<SpaceUpkeep, 'isReady'>;
  /** All accounts, oldest first. The call is made for the first one; without any, none is made. */
  readonly accountIds: () => Promise<readonly string[]>;
  readonly log: Log;
  /** Milliseconds; the usual ones unless given. */
  readonly patienceMs?: number;
}

/** A start waits no longer for the embedder. */
const PATIENCE_MS = 3_000;

/** @throws PreconditionError with a sentence for the operator when the width is wrong. */
export async function checkEmbedder(dependencies: EmbedderCheckDependencies): Promise<void> {
  const { ability, log, models, vectorSpaces } = dependencies;
  const space = vectorSpaceOf(models.embedder);
  if (space === null) return;
  const { dimensions, model } = space;
  if (!(await vectorSpaces.isReady())) {
    log.warn('embedder.index_not_ready', { model });
  }
  if (ability === undefined) return;
  const [accountId] = await dependencies.accountIds();
  if (accountId === undefined) return;
  const errorClass = await failureOf(ability, accountId, dependencies.patienceMs);
  if (errorClass === null) return;
  const answered = dependencies.gateway.answeredWidth();
  if (errorClass === 'embedding_width_mismatch' && answered !== null) {
    throw new PreconditionError(
      `SERVICE_MODEL_EMBEDDER_DIMENSIONS is ${dimensions}, but the model answers vectors of ${answered} numbers. Set it to ${answered}, or, if the model can shorten its vectors, set SERVICE_MODEL_EMBEDDER_SEND_DIMENSIONS=true.`,
    );
  }
  log.warn('embedder.no_answer', { model, error_class: errorClass });
}

/** Has the embedder judged; answers the class of its failure. */
async function failureOf(
  ability: EmbedderAbility,
  accountId: string,
  patienceMs = PATIENCE_MS,
): Promise<string | null> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    await ability.judge(accountId, signal);
    return null;
  } catch (error) {
    if (error instanceof ModelFailure) return error.errorClass;
    if (signal.aborted) return 'request_timeout';
    throw error;
  }
}

/** The embedder of a process, as far as it is judged. */
export interface WatchedEmbedder {
  /** Absent without an embedder, and for the built-in one. */
  readonly ability: EmbedderAbility | undefined;
  /** @throws PreconditionError when its vectors have another width than the settings say. */
  check(environment: Pick<Environment, 'directory' | 'vectorSpaces'>): Promise<void>;
}

export function watchEmbedder(
  models: ModelRoles,
  gateway: ModelGateway,
  log: Log,
): WatchedEmbedder {
  const { embedder } = models;
  const isRemote = embedder.provider !== 'none' && embedder.provider !== 'deterministic';
  const ability = !isRemote
    ? undefined
    : createEmbedderAbility({
        embed: (...asked) => gateway.embed(...asked),
        now: () => performance.now(),
        onPoor: () => log.warn('embedder.poor', { model: embedder.model }),
      });
  return {
    ability,
    check: ({ directory, vectorSpaces }) =>
      checkEmbedder({
        models,
        ability,
        gateway,
        vectorSpaces,
        accountIds: () => directory.accountIds(),
        log,
      }),
  };
}
