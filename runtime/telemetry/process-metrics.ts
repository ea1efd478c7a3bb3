/** Metrics of counts that other parts keep and that are only read at a scrape: doorbell, sweep, database pool. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { DatabasePool } from 'slonik';
import type { Doorbell } from '../actors/doorbell.ts';
import type { Sweep } from '../actors/sweep.ts';

export interface ProcessParts {
  readonly db: Pick<DatabasePool, 'state'>;
  readonly actors: {
    readonly doorbell: Pick<Doorbell, 'counts'>;
    readonly sweep: Pick<Sweep, 'counts'>;
  };
}

/** A counter with one label. Its values are read at a scrape; they count from the start of the process. */
function readCounter<Word extends string>(
  registry: Registry,
  name: string,
  help: string,
  label: string,
  read: () => Readonly<Record<Word, number>>,
): void {
  const counter = new Counter({
    name,
    help,
    labelNames: [label],
    registers: [],
    collect() {
      this.reset();
      for (const [word, count] of Object.entries<number>(read()))
        this.inc({ [label]: word }, count);
    },
  });
  registry.registerMetric(counter);
}

export function watchProcess(registry: Registry, { db, actors }: ProcessParts): void {
  readCounter(
    registry,
    'vouch_doorbell_mailboxes_total',
    'Mailboxes after a commit: rung, awake already, rung before and not answered yet, or failed and left to the sweep.',
    'outcome',
    () => actors.doorbell.counts(),
  );
  readCounter(
    registry,
    'vouch_sweep_passes_total',
    'Passes of the sweep; one fails when the database cannot be asked.',
    'outcome',
    () => {
      const { passes, failed } = actors.sweep.counts();
      return { done: passes - failed, failed };
    },
  );
  readCounter(
    registry,
    'vouch_sweep_finds_total',
    'Work that the sweep found with nobody looking: mailboxes it rang, runs it started.',
    'found',
    () => {
      const { rung, dispatched } = actors.sweep.counts();
      return { mailbox: rung, run: dispatched };
    },
  );
  const connections = new Gauge({
    name: 'vouch_database_pool_connections',
    help: 'Connections of the pool by state.',
    labelNames: ['state'],
    registers: [],
    collect() {
      const { acquiredConnections, idleConnections, pendingConnections } = db.state();
      this.set({ state: 'in_use' }, acquiredConnections);
      this.set({ state: 'idle' }, idleConnections);
      this.set({ state: 'opening' }, pendingConnections);
    },
  });
  registry.registerMetric(connections);
  const waiting = new Gauge({
    name: 'vouch_database_pool_waiting',
    help: 'Work that waits for a connection of the pool.',
    registers: [],
    collect() {
      this.set(db.state().waitingClients);
    },
  });
  registry.registerMetric(waiting);
}
