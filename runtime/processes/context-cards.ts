/**
 * The loops of a worker that keep context cards up to date. They need Postgres and, for summaries, the model; so context
 * follows while Temporal is away. Every worker has them, and each takes other work. Summaries have a loop of their own: a
 * model takes its time, and facts do not wait for it.
 */
import type { ContextCardObserver } from '../../engine/context-cards/observer.ts';
import { createCardBuilder } from '../../engine/context-cards/builder.ts';
import type { SummaryGateway } from '../../engine/context-cards/summaries.ts';
import { createInAccount } from '../../stores/postgres/in-account.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { ContextCardAccountsStore } from '../../stores/postgres/context-cards/accounts.store.ts';
import { createLoop } from '../actors/loop.ts';
import { errorFields, type Log } from '../../engine/logging/logger.ts';

export interface ContextCardsOptions {
  readonly db: Queryable;
  readonly gateway: SummaryGateway;
  readonly log: Log;
  readonly observer: ContextCardObserver;
}

const INTERVAL_MS = 1_000;

/** Starts with a pass at once. `close` ends running passes and waits for them. */
export function startContextCards({ db, gateway, log, observer }: ContextCardsOptions): {
  close(): Promise<void>;
} {
  const stopping = new AbortController();
  const cardBuilder = createCardBuilder({
    accounts: new ContextCardAccountsStore(db),
    inAccount: createInAccount(db),
    gateway,
    observer,
    now: () => new Date(),
    onFailure: (error) => log.warn('context_card.build_failed', errorFields(error)),
  });
  const loops = (['build', 'summarise'] as const).map((work) =>
    createLoop({
      async pass() {
        try {
          await cardBuilder[work](stopping.signal);
        } catch (error) {
          if (!stopping.signal.aborted) log.warn('context_card.pass_failed', errorFields(error));
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
