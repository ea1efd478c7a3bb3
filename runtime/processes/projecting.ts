/**
 * The loops of a worker that keep projections up to date. They need Postgres and, for summaries, the model; so context
 * follows while Temporal is away. Every worker has them, and each takes other work. Summaries have a loop of their own: a
 * model takes its time, and facts do not wait for it.
 */
import type { ProjectionObserver } from '../../engine/projections/observer.ts';
import { createProjector } from '../../engine/projections/projector.ts';
import type { SummaryGateway } from '../../engine/projections/summaries.ts';
import { createInAccount } from '../../stores/postgres/in-account.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { ProjectionAccountsStore } from '../../stores/postgres/projections/accounts.store.ts';
import { createLoop } from '../actors/loop.ts';
import { errorFields, type Log } from '../logger.ts';

export interface ProjectingOptions {
  readonly db: Queryable;
  readonly gateway: SummaryGateway;
  readonly log: Log;
  readonly observer: ProjectionObserver;
}

const INTERVAL_MS = 1_000;

/** Starts with a pass at once. `close` ends running passes and waits for them. */
export function startProjecting({ db, gateway, log, observer }: ProjectingOptions): {
  close(): Promise<void>;
} {
  const stopping = new AbortController();
  const projector = createProjector({
    accounts: new ProjectionAccountsStore(db),
    inAccount: createInAccount(db),
    gateway,
    observer,
    now: () => new Date(),
    onFailure: (error) => log.warn('projection.build_failed', errorFields(error)),
  });
  const loops = (['build', 'summarise'] as const).map((work) =>
    createLoop({
      async pass() {
        try {
          await projector[work](stopping.signal);
        } catch (error) {
          if (!stopping.signal.aborted) log.warn('projection.pass_failed', errorFields(error));
        }
      },
      waitMs: () => INTERVAL_MS,
    }),
  );
  for (const loop of loops) loop.start();
  return {
    async close() {
      stopping.abort();
      await Promise.all(loops.map((loop) => loop.close()));
    },
  };
}
