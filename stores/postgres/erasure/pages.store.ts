/** The work of an erasure, page by page. Each page is one transaction under the run of the erasure, and may be repeated. */
import { sql } from 'slonik';
import { z } from 'zod';
import type { SignedReceipt } from '../../../domain/erasure/receipt.ts';
import type { ErasureStep } from '../../../domain/erasure/words.ts';
import type { RunRef } from '../../../domain/pipeline/run-kinds.ts';
import { UNIT_KINDS, type UnitKind } from '../../../domain/retrieval/units.ts';
import { AuditStore } from '../audit/audit.store.ts';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { DocumentUploadsStore } from '../documents/uploads.store.ts';
import { PoolStore } from '../pool-store.ts';
import { withAccount, type Queryable } from '../pool.ts';
import { RunsStore } from '../runs/runs.store.ts';
import { SHARDS } from '../actors/shards.ts';
import { eraseDocuments } from './documents-step.ts';
import { eraseMessages, type LossRules } from './messages-step.ts';
import { NOTHING_LEFT, type PageReport } from './page.ts';
import { placesLeft } from './remains.ts';
import { ErasuresStore, type ErasureRow } from './requests.store.ts';
import {
  eraseAnchors,
  eraseIdentity,
  eraseRelays,
  eraseSessions,
  eraseStatements,
} from './simple-steps.ts';

/** Steps that change rows; the others work on the indexes and on the bytes of documents. */
export type RowStep = Exclude<ErasureStep, 'indexes' | 'blobs'>;

const SIMPLE_STEPS = {
  anchors: eraseAnchors,
  statements: eraseStatements,
  relays: eraseRelays,
  documents: eraseDocuments,
  sessions: eraseSessions,
  identity: eraseIdentity,
} as const satisfies Readonly<Record<Exclude<RowStep, 'messages'>, typeof eraseAnchors>>;

/** An erasure that is not complete, under its run. */
export interface OpenErasure extends ErasureRow {
  readonly peer_id: string;
}

const blobRow = z.object({ sha256: z.string() });
const unitRow = z.object({ unit: z.enum(UNIT_KINDS), unit_id: z.string(), is_gone: z.boolean() });
export type ErasedUnit = z.infer<typeof unitRow>;

/** Where a page of units ended. */
export interface UnitPlace {
  readonly unit: UnitKind;
  readonly unitId: string;
}

export class ErasurePagesStore extends PoolStore {
  /** Does one page of the step. A run that is over has nothing left. */
  page(
    run: RunRef & { readonly step: RowStep; readonly limit: number },
    rules: LossRules,
  ): Promise<PageReport> {
    const { accountId, limit, step } = run;
    return this.under(run, NOTHING_LEFT, async (tx, erasure) => {
      const { id: erasureId, mode, peer_id: peerId } = erasure;
      const page = { accountId, erasureId, limit, peerId };
      const erasures = new ErasuresStore(tx, accountId);
      // The machine that erases keeps the promise too, before anything is deleted: it may have a list of its own.
      if (erasure.state === 'accepted') erasures.promiseErasure(erasure, null);
      const report =
        step === 'messages'
          ? await eraseMessages(tx, { ...page, mode }, rules)
          : await SIMPLE_STEPS[step](tx, page);
      await erasures.advance(erasureId, 'running');
      await erasures.count(erasureId, report.erased);
      return report;
    });
  }

  /** Units whose entries the indexes have still to delete or to change; at most `limit` are counted. */
  unitsWaiting({ accountId, runId }: RunRef, limit: number): Promise<number> {
    return withAccount(this.db, accountId, (tx) =>
      tx.oneFirst(sql.type(z.object({ n: z.number() }))`
        select count(*)::integer as n from (
          select from erasure_units u join dirty_marks d
            on d.account_id = u.account_id and d.unit = u.unit and d.unit_id = u.unit_id
          where u.account_id = ${accountId} and u.erasure_id = ${runId}::uuid limit ${limit}) waiting`),
    );
  }

  /** The units of the erasure in order, after a place; `is_gone` says that no index may hold them. */
  units(
    { accountId, runId }: RunRef,
    after: UnitPlace | null,
    limit: number,
  ): Promise<readonly ErasedUnit[]> {
    const isAfter =
      after === null
        ? sql.fragment`true`
        : sql.fragment`(u.unit, u.unit_id) > (${after.unit}::unit_kind, ${after.unitId}::uuid)`;
    return withAccount(this.db, accountId, (tx) =>
      tx.any(sql.type(unitRow)`
        select u.unit, u.unit_id, not u.stays and (u.unit = 'message' or not exists (
          select from knowledge k where k.account_id = u.account_id and k.id = u.unit_id
            and k.statement is not null)) as is_gone
        from erasure_units u
        where u.account_id = ${accountId} and u.erasure_id = ${runId}::uuid and ${isAfter}
        order by u.unit, u.unit_id limit ${limit}`),
    );
  }

  /** The projection mailboxes in which something waits. */
  waitingShards({ accountId }: RunRef): Promise<readonly number[]> {
    return withAccount(this.db, accountId, (tx) =>
      tx.anyFirst(sql.type(z.object({ shard: z.number() }))`
        select shard from generate_series(0, ${SHARDS - 1}::integer) as place (shard)
        where (select d.available_at from dirty_marks d
          where d.account_id = ${accountId} and d.shard = place.shard order by d.available_at limit 1) is not null`),
    );
  }

  /** Records what a reading back found: nothing for the first time, or something after all. */
  recordReading({ accountId, runId }: RunRef, found: 'nothing' | 'something'): Promise<void> {
    return withAccount(this.db, accountId, async (tx) => {
      const erasures = new ErasuresStore(tx, accountId);
      if (found === 'something') return erasures.unverified(runId);
      await erasures.advance(runId, 'verifying');
      return erasures.verifiedOnce(runId);
    });
  }

  /** Places of Postgres in which something of the person is left. */
  placesLeft({ accountId, runId }: RunRef): Promise<readonly string[]> {
    return withAccount(this.db, accountId, (tx) => placesLeft(tx, accountId, runId));
  }

  /** Hashes of bytes to delete, in lower-case hex. */
  blobs({ accountId, runId }: RunRef, limit: number): Promise<readonly string[]> {
    return withAccount(this.db, accountId, (tx) =>
      tx.anyFirst(sql.type(blobRow)`
        select encode(sha256, 'hex') as sha256 from erasure_blobs
        where account_id = ${accountId} and erasure_id = ${runId}::uuid and deleted_at is null
        order by sha256 limit ${limit}`),
    );
  }

  /** Hashes of bytes that were deleted, in order. */
  deletedBlobs({ accountId, runId }: RunRef): Promise<readonly string[]> {
    return withAccount(this.db, accountId, (tx) =>
      tx.anyFirst(sql.type(blobRow)`
        select encode(sha256, 'hex') as sha256 from erasure_blobs
        where account_id = ${accountId} and erasure_id = ${runId}::uuid and deleted_at is not null
        order by 1`),
    );
  }

  /** Deletes the bytes unless somebody else's version or upload needs them by now. */
  async deleteBlob(
    run: RunRef,
    sha256: string,
    blobs: Pick<BlobStore, 'delete' | 'deleteDraft'>,
  ): Promise<void> {
    const { accountId, runId } = run;
    await withAccount(this.db, accountId, async (tx) => {
      const isDeleted = await new DocumentUploadsStore(tx, accountId).deleteErased(sha256, blobs);
      const isOne = sql.fragment`account_id = ${accountId} and erasure_id = ${runId}::uuid
        and sha256 = decode(${sha256}, 'hex')`;
      if (!isDeleted) {
        await tx.query(sql.unsafe`delete from erasure_blobs where ${isOne}`);
        return;
      }
      await tx.query(
        sql.unsafe`update erasure_blobs set deleted_at = clock_timestamp() where ${isOne}`,
      );
      await new ErasuresStore(tx, accountId).count(runId, { blobs_deleted: 1 });
    });
  }

  /** Ends the erasure with the receipt that `receiptOf` makes, in one transaction. Changes nothing where it is over. */
  complete(run: RunRef, receiptOf: (erasure: OpenErasure) => SignedReceipt): Promise<void> {
    const { accountId, runId } = run;
    return this.under(run, undefined, async (tx, erasure) => {
      const receipt = JSON.stringify(receiptOf(erasure));
      await new ErasuresStore(tx, accountId).complete(runId, erasure.peer_id, receipt);
      await new AuditStore(tx, accountId).record({
        category: 'deletion',
        action: 'peer.erased',
        actor: { kind: 'pipeline' },
        resourceType: 'erasure',
        resourceId: runId,
        metadata: { mode: erasure.mode },
      });
      await new RunsStore(tx, accountId).complete(runId);
    });
  }

  /** The erasure of the run, if it is not complete. */
  find({ accountId, runId }: RunRef): Promise<OpenErasure | null> {
    return withAccount(this.db, accountId, (tx) => findOpen(tx, accountId, runId));
  }

  /** Runs the work under the lock of the run; answers `over` where the run or its erasure is over. */
  under<T>(
    { accountId, runId }: RunRef,
    over: T,
    work: (tx: Queryable, erasure: OpenErasure) => Promise<T>,
  ): Promise<T> {
    return withAccount(this.db, accountId, async (tx) => {
      if (!(await new RunsStore(tx, accountId).begin(runId, false))) return over;
      const erasure = await findOpen(tx, accountId, runId);
      return erasure === null ? over : work(tx, erasure);
    });
  }
}

async function findOpen(tx: Queryable, accountId: string, id: string): Promise<OpenErasure | null> {
  const erasure = await new ErasuresStore(tx, accountId).find(id);
  return erasure === null || erasure.peer_id === null
    ? null
    : { ...erasure, peer_id: erasure.peer_id };
}
