/**
 * Mailboxes: which drain is current, which anchors it holds, and what waits.
 *
 * A drain opens with a new epoch, which fences every earlier drain of the mailbox: rows carry the epoch of the
 * drain that took them, and a drain writes effects only while they carry its own. `awake_until` says that a
 * drain looks for work. A doorbell reads it after a commit, so a drain that ends clears it first and looks once more.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Mailbox, MailboxKind } from '../../../domain/actors/names.ts';
import { roomFor, type HoldRoom } from '../../../domain/extraction/holds.ts';
import {
  takeAnchors,
  nextDueInMs,
  releaseHolds,
  type HeldAnchorRow,
  type ExtractorModel,
  type TakingDrain,
} from './holds.ts';
import { isRefusedByDatabase } from '../errors.ts';
import { createGroupCommit, WITHOUT_LOCKS } from '../group-commit.ts';
import { PoolStore } from '../pool-store.ts';
import { inTurn, withAccount, type Queryable } from '../pool.ts';
import { endedUntold } from '../models/provider-attempts.store.ts';
import { SHARDS } from './shards.ts';

export interface OpenedDrain {
  readonly epoch: number;
  /** An operator holds the mailbox back: the drain should end at once. */
  readonly paused: boolean;
}

/** How a mailbox stands at the moment of the question. */
export interface MailboxLook {
  readonly mailbox: Mailbox;
  /** Whether a drain looks for work. */
  readonly awake: boolean;
  /** Of the drain that opened last. */
  readonly epoch: number;
}

const AWAKE_FOR_SECONDS = 10;

const openedRow = z.object({ epoch: z.number().int(), paused: z.boolean() });
const pausedRow = z.object({ paused: z.boolean() });
const rungRow = z.object({ rung: z.boolean().nullable() });
const mailboxRow = z.object({
  account_id: z.string(),
  kind: z.enum(['ingest', 'projection']),
  shard: z.number().int(),
});
const lookRow = mailboxRow.extend({ awake: z.boolean(), epoch: z.number().int() });

function toMailbox(row: z.infer<typeof mailboxRow>): Mailbox {
  return { accountId: row.account_id, kind: row.kind, shard: row.shard };
}

function columns(mailboxes: readonly Mailbox[]) {
  const kinds: MailboxKind[] = mailboxes.map(({ kind }) => kind);
  return sql.fragment`
    ${sql.array(
      mailboxes.map(({ accountId }) => accountId),
      'uuid',
    )},
    ${sql.array(kinds, sql.fragment`mailbox_kind[]`)},
    ${sql.array(
      mailboxes.map(({ shard }) => shard),
      'int4',
    )}`;
}

function isMailbox({ accountId, kind, shard }: Mailbox) {
  return sql.fragment`account_id = ${accountId} and kind = ${kind}::mailbox_kind and shard = ${shard}`;
}

/** The mailboxes of all accounts, for an extractor of this model. */
export class MailboxesStore extends PoolStore {
  /** Drains of an account that look at the same time share a round trip; one that fails harms no other. */
  readonly #takeTogether;

  constructor(db: Queryable, extractor: ExtractorModel = null) {
    super(db);
    this.#takeTogether = createGroupCommit<TakingDrain, HeldAnchorRow[]>({
      ...WITHOUT_LOCKS,
      run: (accountId, drains) => takeAnchors(db, accountId, drains, extractor),
      bytesOf: () => 0,
      // Of what the database refused nothing is taken, so that it may be tried again.
      isOfItem: isRefusedByDatabase,
      inTurn: (accountId, work) => inTurn(db, accountId, work),
      mostItems: SHARDS,
      mostBytes: Number.POSITIVE_INFINITY,
    });
  }

  /** Begins a drain under a new epoch; closes the ledger rows that earlier ingest drains left open. */
  openDrain({ accountId, kind, shard }: Mailbox): Promise<OpenedDrain> {
    return withAccount(this.db, accountId, async (tx) => {
      const opened = await tx.one(sql.type(openedRow)`
        insert into mailboxes as m (account_id, kind, shard, epoch, awake_until)
        values (${accountId}, ${kind}::mailbox_kind, ${shard}, 1,
          clock_timestamp() + make_interval(secs => ${AWAKE_FOR_SECONDS}))
        on conflict (account_id, kind, shard) do update
          set epoch = m.epoch + 1, awake_until = excluded.awake_until, ring_attempts = 0
        returning epoch, paused`);
      if (kind === 'ingest') {
        // Calls that earlier drains left open.
        await tx.query(sql.unsafe`
          update provider_attempts set ${endedUntold}
          where account_id = ${accountId} and mailbox_shard = ${shard} and claim_epoch < ${opened.epoch}
            and finished_at is null`);
      }
      return opened;
    });
  }

  /** Says that the drain still looks. `superseded` when a newer one began. */
  async refreshAwake(
    mailbox: Mailbox,
    epoch: number,
  ): Promise<'current' | 'paused' | 'superseded'> {
    const row = await withAccount(this.db, mailbox.accountId, (tx) =>
      tx.maybeOne(sql.type(pausedRow)`
        update mailboxes
        set awake_until = clock_timestamp() + make_interval(secs => ${AWAKE_FOR_SECONDS})
        where ${isMailbox(mailbox)} and epoch = ${epoch} returning paused`),
    );
    if (row === null) return 'superseded';
    return row.paused ? 'paused' : 'current';
  }

  /**
   * Claims due anchors for the drain and counts an attempt of each; answers them in session order. `room` is what the
   * drain has room for; a number is the most anchors for a drain that holds none. A fenced drain gets none.
   */
  async takeAnchors(
    { accountId, shard }: Mailbox,
    epoch: number,
    room: HoldRoom | number,
  ): Promise<HeldAnchorRow[]> {
    const claimRoom = typeof room === 'number' ? roomFor(room) : room;
    const [taken] = await this.#takeTogether(accountId, [{ shard, epoch, room: claimRoom }]);
    if (taken?.status === 'fulfilled') return taken.value;
    throw taken?.reason;
  }

  /** Gives back what the drain took and did not settle, with its attempts; answers how many. */
  releaseHolds(mailbox: Mailbox, epoch: number): Promise<number> {
    return withAccount(this.db, mailbox.accountId, (tx) => releaseHolds(tx, mailbox, epoch));
  }

  /** Says that the drain no longer looks. Committed when it returns. */
  async closeDrain(mailbox: Mailbox, epoch: number): Promise<void> {
    await withAccount(this.db, mailbox.accountId, (tx) =>
      tx.query(sql.unsafe`
        update mailboxes set awake_until = '-infinity'
        where ${isMailbox(mailbox)} and epoch = ${epoch}`),
    );
  }

  /** Milliseconds until work that the drain does not hold is due, 0 when some is; null when none waits. */
  nextDueInMs(mailbox: Mailbox, epoch: number): Promise<number | null> {
    return withAccount(this.db, mailbox.accountId, (tx) => nextDueInMs(tx, mailbox, epoch));
  }

  /** Of these mailboxes, the ones with work that is due and that no current drain holds. One round trip. */
  async withWork(mailboxes: readonly Mailbox[]): Promise<Mailbox[]> {
    const rows = await this.db.any(sql.type(mailboxRow)`
      select account_id, kind, shard from lookup_mailboxes_with_work(${columns(mailboxes)})`);
    return rows.map(toMailbox);
  }

  /** How these mailboxes stand, as far as they exist. One round trip. */
  async looks(mailboxes: readonly Mailbox[]): Promise<MailboxLook[]> {
    const rows = await this.db.any(sql.type(lookRow)`
      select account_id, kind, shard, awake, epoch from lookup_mailbox_looks(${columns(mailboxes)})`);
    return rows.map((row) => ({ mailbox: toMailbox(row), awake: row.awake, epoch: row.epoch }));
  }

  /** Mailboxes with work overdue by `graceMs` that no drain looks at and that may be rung again. */
  async neglected(graceMs: number, limit: number): Promise<Mailbox[]> {
    const rows = await this.db.any(sql.type(mailboxRow)`
      select account_id, kind, shard from lookup_neglected_mailboxes(${graceMs}, ${limit})`);
    return rows.map(toMailbox);
  }

  /** True for one of several processes that want to ring the same neglected mailbox. */
  async markRung({ accountId, kind, shard }: Mailbox): Promise<boolean> {
    const { rung } = await this.db.one(sql.type(rungRow)`
      select mark_rung(${accountId}, ${kind}::mailbox_kind, ${shard}) as rung`);
    return rung === true;
  }
}
