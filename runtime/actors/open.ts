/** Everything a process needs to call actors: the port, the doorbell and the sweep, over one lazy client. */
import type { Client } from '@temporalio/client';
import { MailboxesStore } from '../../stores/postgres/actors/mailboxes.store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import { UndispatchedRunsStore } from '../../stores/postgres/runs/runs.store.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { createActors, type Actors } from './actors.ts';
import { openActorClient, type ActorConnectionOptions } from './connection.ts';
import { Doorbell } from './doorbell.ts';
import { createRunStarters } from './run-starters.ts';
import { createScheduleKeeper, type ScheduleKeeper } from './schedules.ts';
import { createSweep, type Sweep } from './sweep.ts';

export interface OpenActorsOptions extends ActorConnectionOptions {
  readonly queuePrefix: string;
  /** A commit id, or `dev`. */
  readonly buildSha: string;
  readonly db: Queryable;
  readonly log: Log;
}

export interface OpenActors {
  readonly client: Client;
  readonly actors: Actors;
  readonly doorbell: Doorbell;
  /** Not started yet. */
  readonly sweep: Sweep;
  /** Not started yet. Processes with workers do. */
  readonly schedules: ScheduleKeeper;
  close(): Promise<void>;
}

/** Opens the calling side. Temporal may be away. */
export function openActors(options: OpenActorsOptions): OpenActors {
  const { db, log, queuePrefix, buildSha } = options;
  const client = openActorClient(options);
  const mailboxes = new MailboxesStore(db);
  const actors = createActors({ client, queuePrefix, buildSha });
  const doorbell = new Doorbell({ actors, looks: (asked) => mailboxes.looks(asked), log });
  const sweep = createSweep({
    actors,
    mailboxes,
    runs: new UndispatchedRunsStore(db),
    starters: createRunStarters({ client, queuePrefix, buildSha }),
    log,
    random: Math.random,
  });
  const schedules = createScheduleKeeper({ client, queuePrefix, buildSha, log });
  return {
    client,
    actors,
    doorbell,
    sweep,
    schedules,
    async close() {
      await Promise.all([doorbell.close(), sweep.close(), schedules.close()]);
      await client.connection.close();
    },
  };
}
