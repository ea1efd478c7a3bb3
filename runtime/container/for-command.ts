/**
 * The environment of one command. Most commands work on Postgres and nothing else, so only the parts for that are built
 * at once. The parts for other servers, models and threads are loaded when the command first calls one of them.
 */
import type { DatabasePool } from 'slonik';
import type { Environment } from '../../operations/environment/environment.ts';
import { createRefusingInAccount } from '../../stores/postgres/in-account.ts';
import type { Config } from '../config/index.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { buildDatabaseParts, openSettlements, type DatabaseParts } from './database-parts.ts';
import { buildDatabaseReadiness, type AsksAnotherServer } from './database-readiness.ts';
import type { Container } from './index.ts';

export interface CommandContainer {
  readonly environment: Environment;
  close(): Promise<void>;
}

/** The parts that `whole` has, each of which waits for it. */
function partsOf(whole: () => Promise<Environment>): Omit<
  Environment,
  keyof DatabaseParts | 'readiness'
> & {
  readonly readiness: Pick<Environment['readiness'], AsksAnotherServer>;
} {
  const later =
    <A extends readonly unknown[], R>(
      call: (environment: Environment, ...asked: A) => Promise<R>,
    ) =>
    async (...asked: A): Promise<R> =>
      call(await whole(), ...asked);
  // No caller waits for this promise. Closing the container reports that the parts could not be built.
  const unwaited =
    <A extends readonly unknown[]>(call: (environment: Environment, ...asked: A) => void) =>
    (...asked: A): void => {
      whole().then(
        (environment) => call(environment, ...asked),
        () => undefined,
      );
    };
  return {
    blobs: {
      get: later(({ blobs }, ...asked) => blobs.get(...asked)),
      put: later(({ blobs }, ...asked) => blobs.put(...asked)),
      delete: later(({ blobs }, ...asked) => blobs.delete(...asked)),
      deleteDraft: later(({ blobs }, ...asked) => blobs.deleteDraft(...asked)),
    },
    compareBlobs: later(({ compareBlobs }, ...asked) => compareBlobs(...asked)),
    search: later(({ search }, ...asked) => search(...asked)),
    answer: later(({ answer }, ...asked) => answer(...asked)),
    recall: later(({ recall }, ...asked) => recall(...asked)),
    sourceSearch: later(({ sourceSearch }, ...asked) => sourceSearch(...asked)),
    questions: { ask: later(({ questions }, ...asked) => questions.ask(...asked)) },
    vectorSpaces: {
      ensure: later(({ vectorSpaces }) => vectorSpaces.ensure()),
      isReady: later(({ vectorSpaces }) => vectorSpaces.isReady()),
      list: later(({ vectorSpaces }) => vectorSpaces.list()),
      migrate: later(({ vectorSpaces }, ...asked) => vectorSpaces.migrate(...asked)),
      retire: later(({ vectorSpaces }) => vectorSpaces.retire()),
    },
    indexes: {
      verify: later(({ indexes }, ...asked) => indexes.verify(...asked)),
      look: later(({ indexes }, ...asked) => indexes.look(...asked)),
      rebuild: later(({ indexes }, ...asked) => indexes.rebuild(...asked)),
    },
    acceptIndexes: later(({ acceptIndexes }) => acceptIndexes()),
    models: { check: later(({ models }, ...asked) => models.check(...asked)) },
    doorbell: {
      ring: unwaited(({ doorbell }, ...asked) => doorbell.ring(...asked)),
      ringNow: later(({ doorbell }, ...asked) => doorbell.ringNow(...asked)),
    },
    sweep: { soon: unwaited(({ sweep }) => sweep.soon()) },
    readiness: {
      jobQueue: later(({ readiness }) => readiness.jobQueue()),
      qdrant: later(({ readiness }) => readiness.qdrant()),
      meilisearch: later(({ readiness }) => readiness.meilisearch()),
      vectorIndexes: later(({ readiness }) => readiness.vectorIndexes()),
    },
    text: {
      holdsSecret: later(({ text }, ...asked) => text.holdsSecret(...asked)),
      stems: later(({ text }, ...asked) => text.stems(...asked)),
    },
  };
}

/**
 * Builds the environment on an open pool, which is closed with it.
 * @throws PreconditionError without a secret key.
 */
export function createCommandContainer(
  config: Config,
  log: Log,
  db: DatabasePool,
): CommandContainer {
  let loading: Promise<Container> | null = null;
  const load = async (): Promise<Container> => {
    const { createContainer } = await import('./index.ts');
    return createContainer(config, log, { db });
  };
  const whole = async (): Promise<Environment> => (await (loading ??= load())).environment;
  const waiting = partsOf(whole);
  const inAccount = createRefusingInAccount(db);
  const settlements = openSettlements(config.settings);
  return {
    environment: {
      ...buildDatabaseParts({ config, db, inAccount, settlements, log }),
      ...waiting,
      readiness: { ...buildDatabaseReadiness(db, config.models), ...waiting.readiness },
    },
    async close() {
      try {
        if (loading !== null) return await (await loading).close();
      } catch (error) {
        await db.end();
        throw error;
      } finally {
        await settlements.close();
      }
      await db.end();
    },
  };
}
