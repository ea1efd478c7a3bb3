/**
 * Mailboxes: who drains, which anchors a drain holds, and what waits.
 *
 * A drain opens with a new epoch, which fences every earlier drain of the mailbox: rows carry the epoch of the
 * drain that claimed them, and effects are written only while they still do. `awake_until` says that a drain
 * looks; doorbells ask for it after a commit, so a drain that ends clears it first and then looks once more.
 */
import { sql } from 'slonik';
import { z } from 'zod';
import type { Mailbox, MailboxKind } from '../../domain/actors/names.ts';
import { withAccount, type Queryable } from './pool.ts';
import { endedUntold } from './provider-attempts.store.ts';

/** An anchor held by a drain. */
export interface ClaimedAnchorRow {
  readonly messageId: string;
  readonly sessionId: string;
  readonly scopeId: string;
  readonly attemptCount: number;
  /** ISO time of the commit of its statements, when an earlier drain got that far. */
  readonly extractedAt: string | null;
  readonly traceId: string;
}

export interface OpenedDrain {
  readonly epoch: number;
  /** An operator holds the mailbox back: the drain should end at once. */
  readonly paused: boolean;
}

/** How a mailbox stands at the moment of the question. */
export interface MailboxLook {
  readonly mailbox: Mailbox;
  /** Whether a drain looks. */
  readonly awake: boolean;
  /** Of the drain that opened last. */
  readonly epoch: number;
}

export interface MailboxStore {
  /** Begins a drain under a new epoch; closes the ledger rows that earlier ingest drains left open. */
  openDrain(mailbox: Mailbox): Promise<OpenedDrain>;
  /** Says that the drain still looks. `superseded` when a newer one began. */
  refreshAwake(mailbox: Mailbox, epoch: number): Promise<'current' | 'paused' | 'superseded'>;
  /** Claims up to `limit` due anchors for the drain, in session order. Nothing for a fenced drain. */
  claimAnchors(mailbox: Mailbox, epoch: number, limit: number): Promise<ClaimedAnchorRow[]>;
  /** Gives back what the drain claimed and did not settle; answers how many. */
  releaseClaims(mailbox: Mailbox, epoch: number): Promise<number>;
  /** Says that the drain no longer looks. Committed when it returns. */
  closeDrain(mailbox: Mailbox, epoch: number): Promise<void>;
  /** Milliseconds until an anchor that the drain does not hold is due, 0 when one is; null when none waits. */
  nextDueInMs(mailbox: Mailbox, epoch: number): Promise<number | null>;
  /** Of these mailboxes, the ones with work that is due and that no current drain holds. One round trip. */
  withWork(mailboxes: readonly Mailbox[]): Promise<Mailbox[]>;
  /** How these mailboxes stand, as far as they exist. One round trip. */
  looks(mailboxes: readonly Mailbox[]): Promise<MailboxLook[]>;
  /** Mailboxes with work overdue by `graceMs` that nobody looks at and that may be rung again. */
  neglected(graceMs: number, limit: number): Promise<Mailbox[]>;
  /** True for one of several processes that want to ring the same neglected mailbox. */
  markRung(mailbox: Mailbox): Promise<boolean>;
}

const AWAKE_FOR_SECONDS = 10;

const openedRow = z.object({ epoch: z.number().int(), paused: z.boolean() });
const pausedRow = z.object({ paused: z.boolean() });
const dueRow = z.object({ due_in_ms: z.number().nullable() });
const rungRow = z.object({ rung: z.boolean().nullable() });
const anchorRow = z.object({
  message_id: z.string(),
  session_id: z.string(),
  scope_id: z.string(),
  attempt_count: z.number().int(),
  extracted_at: z.string().nullable(),
  trace_id: z.string(),
});
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

async function openDrain(db: Queryable, mailbox: Mailbox): Promise<OpenedDrain> {
  const { accountId, kind, shard } = mailbox;
  return withAccount(db, accountId, async (tx) => {
    const opened = await tx.one(sql.type(openedRow)`
      insert into mailboxes as m (account_id, kind, shard, epoch, awake_until)
      values (${accountId}, ${kind}::mailbox_kind, ${shard}, 1,
        clock_timestamp() + make_interval(secs => ${AWAKE_FOR_SECONDS}))
      on conflict (account_id, kind, shard) do update
        set epoch = m.epoch + 1, awake_until = excluded.awake_until, ring_attempts = 0
      returning epoch, paused`);
    if (kind === 'ingest') {
      // Calls that the predecessor left open.
      await tx.query(sql.unsafe`
        update provider_attempts set ${endedUntold}
        where account_id = ${accountId} and mailbox_shard = ${shard} and claim_epoch < ${opened.epoch}
          and state in ('reserved', 'dispatched')`);
    }
    return opened;
  });
}

async function claimAnchors(
  db: Queryable,
  mailbox: Mailbox,
  epoch: number,
  limit: number,
): Promise<ClaimedAnchorRow[]> {
  const { accountId, shard } = mailbox;
  const rows = await withAccount(db, accountId, (tx) =>
    tx.any(sql.type(anchorRow)`
      with wanted as (
        select message_id from extraction_anchors
        where account_id = ${accountId} and shard = ${shard} and status in ('pending', 'failed')
          and available_at <= clock_timestamp() and (claim_epoch is null or claim_epoch < ${epoch})
          and exists (select from mailboxes where ${isMailbox(mailbox)} and epoch = ${epoch})
        order by session_id, message_id limit ${limit} for update skip locked)
      update extraction_anchors a set claim_epoch = ${epoch}
      from wanted join messages m on m.account_id = ${accountId} and m.id = wanted.message_id
      where a.account_id = ${accountId} and a.message_id = wanted.message_id
      returning a.message_id, a.session_id, a.scope_id, a.attempt_count, a.extracted_at, m.trace_id`),
  );
  return rows
    .map((row) => ({
      messageId: row.message_id,
      sessionId: row.session_id,
      scopeId: row.scope_id,
      attemptCount: row.attempt_count,
      extractedAt: row.extracted_at,
      traceId: row.trace_id,
    }))
    .sort((a, b) => order(a.sessionId, b.sessionId) || order(a.messageId, b.messageId));
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

async function refreshAwake(
  db: Queryable,
  mailbox: Mailbox,
  epoch: number,
): Promise<'current' | 'paused' | 'superseded'> {
  const row = await withAccount(db, mailbox.accountId, (tx) =>
    tx.maybeOne(sql.type(pausedRow)`
      update mailboxes
      set awake_until = clock_timestamp() + make_interval(secs => ${AWAKE_FOR_SECONDS})
      where ${isMailbox(mailbox)} and epoch = ${epoch} returning paused`),
  );
  if (row === null) return 'superseded';
  return row.paused ? 'paused' : 'current';
}

async function releaseClaims(db: Queryable, mailbox: Mailbox, epoch: number): Promise<number> {
  const { rowCount } = await withAccount(db, mailbox.accountId, (tx) =>
    tx.query(sql.unsafe`
      update extraction_anchors set claim_epoch = null
      where account_id = ${mailbox.accountId} and shard = ${mailbox.shard}
        and status in ('pending', 'failed') and claim_epoch = ${epoch}`),
  );
  return rowCount;
}

async function closeDrain(db: Queryable, mailbox: Mailbox, epoch: number): Promise<void> {
  await withAccount(db, mailbox.accountId, (tx) =>
    tx.query(sql.unsafe`
      update mailboxes set awake_until = '-infinity'
      where ${isMailbox(mailbox)} and epoch = ${epoch}`),
  );
}

async function nextDueInMs(db: Queryable, mailbox: Mailbox, epoch: number): Promise<number | null> {
  const { accountId, shard } = mailbox;
  const { due_in_ms: due } = await withAccount(db, accountId, (tx) =>
    tx.one(sql.type(dueRow)`
      select (extract(epoch from min(available_at) - clock_timestamp()) * 1000)::float8 as due_in_ms
      from extraction_anchors
      where account_id = ${accountId} and shard = ${shard} and status in ('pending', 'failed')
        and claim_epoch is distinct from ${epoch}`),
  );
  return due === null ? null : Math.max(0, Math.ceil(due));
}

/** A store over the pool of a process. Each method is a transaction of its own. */
export function createMailboxStore(db: Queryable): MailboxStore {
  return {
    openDrain: (mailbox) => openDrain(db, mailbox),
    refreshAwake: (mailbox, epoch) => refreshAwake(db, mailbox, epoch),
    claimAnchors: (mailbox, epoch, limit) => claimAnchors(db, mailbox, epoch, limit),
    releaseClaims: (mailbox, epoch) => releaseClaims(db, mailbox, epoch),
    closeDrain: (mailbox, epoch) => closeDrain(db, mailbox, epoch),
    nextDueInMs: (mailbox, epoch) => nextDueInMs(db, mailbox, epoch),
    withWork: async (mailboxes) =>
      (
        await db.any(sql.type(mailboxRow)`
          select account_id, kind, shard from lookup_mailboxes_with_work(${columns(mailboxes)})`)
      ).map(toMailbox),
    looks: async (mailboxes) =>
      (
        await db.any(sql.type(lookRow)`
          select account_id, kind, shard, awake, epoch from lookup_mailbox_looks(${columns(mailboxes)})`)
      ).map((row) => ({ mailbox: toMailbox(row), awake: row.awake, epoch: row.epoch })),
    neglected: async (graceMs, limit) =>
      (
        await db.any(sql.type(mailboxRow)`
          select account_id, kind, shard from lookup_neglected_mailboxes(${graceMs}, ${limit})`)
      ).map(toMailbox),
    markRung: async ({ accountId, kind, shard }) =>
      (
        await db.one(sql.type(rungRow)`
          select mark_rung(${accountId}, ${kind}::mailbox_kind, ${shard}) as rung`)
      ).rung === true,
  };
}
