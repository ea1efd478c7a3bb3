/**
 * One mailbox on the real Postgres with everything that moves it: doorbell, actor, workers, sweep. What is
 * late, lost, frozen, killed or done twice, and when time passes, is up to the schedule.
 */
import type { Pool } from 'pg';
import type { DatabasePool } from 'slonik';
import { Doorbell } from '../../../../runtime/actors/doorbell.ts';
import { createSweep, type Sweep } from '../../../../runtime/actors/sweep.ts';
import type { Mailbox } from '../../../../domain/actors/names.ts';
import {
  MailboxesStore,
  type MailboxLook,
} from '../../../../stores/postgres/actors/mailboxes.store.ts';
import { silentLog } from '../../../workflow/harness.ts';
import { observe, type Account } from '../../../workflow/observations.ts';
import { Gates, settled, type Passage, type Point } from './gates.ts';
import { StandInTemporal } from './stand-in-temporal.ts';
import { Worker, type Rule } from './worker.ts';

export interface WorldParts {
  readonly pool: DatabasePool;
  /** As superuser. */
  readonly admin: Pool;
  readonly account: Account;
  /** Observations a drain takes before it answers that there may be more. */
  readonly unitsPerDrain: number;
  readonly without: Rule | null;
}

/** Longer than every wait of the sweep, and than a drain counts as looking without saying so again. */
export const LONG_SECONDS = 70;
const NO_RUNS = {
  undispatched: () => Promise.resolve([]),
  markDispatched: () => Promise.resolve(false),
};

export class World {
  readonly workers: Worker[] = [];
  readonly temporal: StandInTemporal;
  readonly messageIds: string[] = [];
  readonly mailbox: Mailbox;
  readonly mailboxes: MailboxesStore;
  readonly #parts: WorldParts;
  readonly #api = new Gates();
  readonly #bell = new Gates();
  readonly #doorbell: Doorbell;
  readonly #sweep: Sweep;
  /** A ring is noted and its question not asked yet. */
  #noted = false;
  #looksBefore: readonly MailboxLook[] = [];

  constructor(parts: WorldParts) {
    this.#parts = parts;
    this.mailboxes = new MailboxesStore(parts.pool);
    const { accountId } = parts.account;
    this.mailbox = { accountId, kind: 'ingest', shard: 0 };
    this.temporal = new StandInTemporal(() => this.#startWorker());
    this.#doorbell = new Doorbell({
      looks: (asked) => this.#ask(asked),
      actors: { ring: () => this.#bell.pass('ring', async () => this.temporal.ring()) },
      log: silentLog,
      flushMs: 0,
    });
    this.#sweep = createSweep({
      actors: {
        probe: () => Promise.resolve('serving'),
        ring: async () => this.temporal.ring(),
      },
      // Other mailboxes of the account (its projection) and of other schedules are not looked at here.
      mailboxes: {
        neglected: async (graceMs, limit) =>
          (await this.mailboxes.neglected(graceMs, limit)).filter((one) => this.#isMine(one)),
        markRung: (mailbox) => this.mailboxes.markRung(mailbox),
      },
      runs: NO_RUNS,
      starters: new Map(),
      log: silentLog,
      random: () => 0,
    });
  }

  #isMine({ accountId, kind }: Mailbox): boolean {
    return accountId === this.mailbox.accountId && kind === this.mailbox.kind;
  }

  #startWorker(): Worker {
    const { pool, unitsPerDrain, without, account } = this.#parts;
    const worker = new Worker(
      { pool, mailboxes: this.mailboxes, without },
      { accountId: account.accountId, shard: 0, maxMs: 55_000, maxUnits: unitsPerDrain },
    );
    this.workers.push(worker);
    return worker;
  }

  async #ask(asked: readonly Mailbox[]): Promise<readonly MailboxLook[]> {
    this.#noted = false;
    const early = this.#looksBefore;
    const asksEarly = this.#parts.without === 'ask_after_commit';
    return this.#bell.pass('ask', async () => (asksEarly ? early : this.mailboxes.looks(asked)));
  }

  /** A request to ingest comes in. It stores its observation and, unless its process dies first, rings. */
  async request(session: number, rings: boolean): Promise<void> {
    const { pool, account, without } = this.#parts;
    if (without === 'ask_after_commit') {
      this.#looksBefore = await this.mailboxes.looks([this.mailbox]);
    }
    const handled = this.#api.pass('store', async () => {
      const { messageId } = await observe(pool, account, `s${session}`);
      this.messageIds.push(messageId);
      if (!rings) return;
      this.#doorbell.ring(this.mailbox);
      this.#noted = true;
    });
    handled.catch(() => undefined);
  }

  /** The oldest request that waits for the database gets its turn. */
  async store(): Promise<void> {
    if (this.#api.next !== null) await this.#api.step();
  }

  /** Whether a call of the doorbell is on its way. */
  async bellWaits(): Promise<boolean> {
    await settled();
    while (this.#noted && this.#bell.next === null) {
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return this.#bell.next !== null;
  }

  /** The next call of the doorbell arrives, is lost, or arrives twice. */
  async bellStep(how: Passage = 'pass'): Promise<void> {
    if (await this.bellWaits()) await this.#bell.step(how);
  }

  async bellThrough(): Promise<void> {
    while (await this.bellWaits()) await this.bellStep();
  }

  /** The current attempt freezes, where it stands without a point, and another one is made beside it. */
  async lapse(at: Point | null): Promise<void> {
    const { current } = this.temporal;
    if (at !== null && current?.moves === true) await current.runUntil(at);
    this.temporal.timeOut();
  }

  async sweep(): Promise<void> {
    if (this.#parts.without !== 'sweep') await this.#sweep.once();
  }

  /** Everything that the clock judges moves into the past, which is the same as time passing. */
  async elapse(seconds: number): Promise<void> {
    const { admin, account } = this.#parts;
    const values = [account.accountId, seconds];
    await admin.query(
      `update mailboxes set awake_until = awake_until - make_interval(secs => $2),
         last_rung_at = last_rung_at - make_interval(secs => $2) where account_id = $1`,
      values,
    );
    await admin.query(
      `update extraction_anchors set available_at = available_at - make_interval(secs => $2)
       where account_id = $1`,
      values,
    );
    this.temporal.elapse(seconds * 1000);
    await settled();
  }

  async pause(paused: boolean): Promise<void> {
    const { admin, account } = this.#parts;
    await admin.query(`update mailboxes set paused = $2 where account_id = $1`, [
      account.accountId,
      paused,
    ]);
  }

  /** Several calls at the same moment, in whatever order Postgres takes them. */
  async race(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.step()));
  }

  /** Goes on until there is nothing left to do: rings, current attempts, and the actor's own timers. */
  async rest(): Promise<void> {
    for (let turn = 0; turn < 500; turn += 1) {
      await this.store();
      await this.bellThrough();
      const { current, looksAgainInMs } = this.temporal;
      if (current?.moves === true) await current.step();
      else if (current !== null) this.temporal.timeOut();
      else if (this.#api.next !== null) continue;
      else if (looksAgainInMs === null) return;
      else await this.elapse(looksAgainInMs / 1000);
      await settled();
    }
    throw new Error('the world does not come to rest');
  }

  /** Whether every observation so far is settled. */
  async isWorkedOff(): Promise<boolean> {
    const { rows } = await this.#parts.admin.query(
      `select from extraction_anchors where account_id = $1 and status <> 'completed' limit 1`,
      [this.mailbox.accountId],
    );
    return rows.length === 0;
  }

  async dispose(): Promise<void> {
    this.#api.close();
    this.#bell.close();
    await this.#doorbell.close();
    for (const worker of this.workers) await worker.dispose();
    // A pass of the sweep has room for so many: what stays behind is none of the next world's.
    await this.pause(true);
  }
}
