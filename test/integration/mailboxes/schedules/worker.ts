/**
 * One attempt of the activity `drainMailbox`, as a worker process runs it: the real activity with the real
 * pipeline, held at every call that leaves the process.
 */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { sql, type DatabasePool } from 'slonik';
import type { DrainInput } from '../../../../activities/contracts.ts';
import type { DrainReport } from '../../../../domain/actors/mailbox-actor.ts';
import {
  createIngestActivities,
  type IngestActivityOptions,
} from '../../../../activities/ingest.ts';
import type { MailboxWatcher } from '../../../../activities/mailbox-watcher.ts';
import type { ExtractionPipelineDeps } from '../../../../engine/extraction/pipeline.ts';
import type { CommitRequest } from '../../../../stores/postgres/knowledge/commit.store.ts';
import type { MailboxesStore } from '../../../../stores/postgres/actors/mailboxes.store.ts';
import { withAccount } from '../../../../stores/postgres/pool.ts';
import { HANGS_MS } from '../../../support/patience.ts';
import { literalExtractor, pipeline } from '../../extraction/scene.ts';
import { Gates, type Point } from './gates.ts';

/** Rules of the product that a world does without, to see that the properties notice. */
export type Rule = 'last_look' | 'fence' | 'ask_after_commit' | 'sweep';

export interface WorkerParts {
  readonly pool: DatabasePool;
  readonly mailboxes: MailboxesStore;
  readonly without: Rule | null;
}

export class Worker {
  readonly report: Promise<DrainReport>;
  readonly #gates = new Gates();
  readonly #stopping = new AbortController();
  readonly #environment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  #ended = false;
  #killed = false;

  constructor(parts: WorkerParts, input: DrainInput) {
    const mailboxes = heldMailboxes(parts, this.#gates);
    const activities = createIngestActivities({
      mailboxes,
      processor: pipeline(
        { pool: parts.pool, rung: [] },
        { extract: literalExtractor, around: (real) => heldPipeline(parts, real, this.#gates) },
      ),
      watcher: heldWatcher(parts.mailboxes, this.#gates),
      stopping: this.#stopping.signal,
      onError() {},
    });
    const drain = (given: DrainInput): Promise<DrainReport> => activities.drainMailbox(given);
    this.report = this.#environment.run(drain, input);
    this.report.then(
      () => (this.#ended = true),
      () => (this.#ended = true),
    );
  }

  /** Whether a step of it can still do something. */
  get moves(): boolean {
    return !this.#ended && !this.#killed;
  }

  get killed(): boolean {
    return this.#killed;
  }

  /** Where it stands, null once it is at its end. Waits while it moves on its own. */
  async standsAt(): Promise<Point | null> {
    const giveUpAt = performance.now() + HANGS_MS;
    while (this.moves && this.#gates.next === null) {
      if (performance.now() > giveUpAt) throw new Error('a worker neither waits nor ends');
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return this.moves ? this.#gates.next : null;
  }

  async step(): Promise<void> {
    if ((await this.standsAt()) !== null) await this.#gates.step();
  }

  /** At least one step, until it is about to do `point`, or at its end. There it is frozen. */
  async runUntil(point: Point | null): Promise<void> {
    for (let steps = 0; steps < 200; steps += 1) {
      await this.step();
      const at = await this.standsAt();
      if (at === null || at === point) return;
    }
    throw new Error('a worker does not come to an end');
  }

  stop(): void {
    this.#stopping.abort();
  }

  cancel(): void {
    this.#environment.cancel('CANCELLED');
  }

  /** It does nothing more, ever. */
  kill(): void {
    this.#killed = true;
  }

  /** After the schedule: lets its timers go. */
  async dispose(): Promise<void> {
    this.#gates.close();
    await this.report.catch(() => undefined);
  }
}

function heldMailboxes(
  { mailboxes, without }: WorkerParts,
  gates: Gates,
): IngestActivityOptions['mailboxes'] {
  const closed = new Set<number>();
  const blind = (epoch: number): boolean => without === 'last_look' && closed.has(epoch);
  return {
    openDrain: (of) => gates.pass('open', () => mailboxes.openDrain(of)),
    refreshAwake: (of, epoch) => gates.pass('refresh', () => mailboxes.refreshAwake(of, epoch)),
    takeAnchors: (of, epoch, room) =>
      gates.pass(closed.has(epoch) ? 'look' : 'take', async () =>
        blind(epoch) ? [] : mailboxes.takeAnchors(of, epoch, room),
      ),
    releaseHolds: (of, epoch) => gates.pass('release', () => mailboxes.releaseHolds(of, epoch)),
    async closeDrain(of, epoch) {
      await gates.pass('close', () => mailboxes.closeDrain(of, epoch));
      closed.add(epoch);
    },
    nextDueInMs: (of, epoch) =>
      gates.pass('next_due', async () => (blind(epoch) ? null : mailboxes.nextDueInMs(of, epoch))),
  };
}

/** Lingers for as long as the schedule wants and is woken by what is there at that moment. */
function heldWatcher(mailboxes: MailboxesStore, gates: Gates): MailboxWatcher {
  return {
    waitForWork: (mailbox, _ms, signal) =>
      gates.pass('linger', async () =>
        signal.aborted ? false : (await mailboxes.withWork([mailbox])).length > 0,
      ),
  };
}

function heldPipeline(
  { pool, without }: WorkerParts,
  real: ExtractionPipelineDeps,
  gates: Gates,
): ExtractionPipelineDeps {
  return {
    ...real,
    anchors: {
      load: (...given) => gates.pass('load', () => real.anchors.load(...given)),
      complete: (...given) => gates.pass('complete', () => real.anchors.complete(...given)),
      fail: (...given) => gates.pass('commit', () => real.anchors.fail(...given)),
    },
    gateway: {
      extract: (...given) => gates.pass('extract', () => real.gateway.extract(...given)),
      extractBatch: (...given) => gates.pass('extract', () => real.gateway.extractBatch(...given)),
    },
    store: {
      unshown: (...asked) => real.store.unshown(...asked),
      commit: (request, decide) =>
        gates.pass('commit', async () => {
          if (without === 'fence') await breakFence(pool, request);
          await real.store.commit(request, decide);
        }),
    },
  };
}

/** What a commit without its fence would do: write, although another drain may hold the anchors by now. */
async function breakFence(pool: DatabasePool, request: CommitRequest): Promise<void> {
  await withAccount(pool, request.accountId, (tx) =>
    tx.query(sql.unsafe`
      update extraction_anchors a
      set claim_epoch = held.epoch, status = 'pending', extracted_at = null, completed_at = null
      from jsonb_to_recordset(${JSON.stringify(request.holds)}::jsonb) as held ("messageId" uuid, epoch bigint)
      where a.message_id = held."messageId"`),
  );
}
