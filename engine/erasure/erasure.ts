/**
 * Erases a person: page by page through the steps, then reads every store back, twice, and ends with a receipt. Nothing
 * is ever undone; each part may be repeated after a crash and goes on where it stopped.
 */
import { createHash } from 'node:crypto';
import type { Mailbox } from '../../domain/actors/names.ts';
import {
  RECEIPT_NOTE,
  type ReceiptBody,
  type SignedReceipt,
} from '../../domain/erasure/receipt.ts';
import { ERASURE_SHARD, type ErasureStep } from '../../domain/erasure/words.ts';
import { ERASURE_RECEIPT } from '../../domain/identities.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import { UNIT_KINDS } from '../../domain/retrieval/units.ts';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import type { ErasurePagesStore, UnitPlace } from '../../stores/postgres/erasure/pages.store.ts';
import type { IndexEraser } from '../indexes/index-eraser.ts';
import { lossRules } from './losses.ts';

export interface ErasureDependencies {
  readonly pages: ErasurePagesStore;
  readonly indexes: IndexEraser;
  readonly blobs: BlobStore;
  readonly newId: () => string;
  /** Called after a commit that left work in a mailbox. */
  readonly ring: (mailbox: Mailbox) => void;
  readonly sign: (body: ReceiptBody) => SignedReceipt;
  /** Milliseconds between the two readings back: longer than any write that was under way may take. */
  readonly settleMs: number;
  /** Told of what still holds something, in numbers. */
  readonly report: (left: { readonly places: number; readonly entries: number }) => void;
}

/** `more`: the step has to be called again, after `waitMs`. `erased` counts rows of this page. */
export interface StepReport {
  readonly more: boolean;
  readonly waitMs: number;
  readonly erased: number;
}

/** How many places or entries still hold something, and how long to wait before the next reading back. */
export interface VerifyReport {
  readonly remaining: number;
  /** Null once both readings found nothing. */
  readonly nextInMs: number | null;
}

export interface Erasure {
  /** One page of a step. */
  step(run: RunRef & { readonly step: ErasureStep }): Promise<StepReport>;
  /** Reads every store back once. */
  verify(run: RunRef): Promise<VerifyReport>;
  /** Ends the erasure with its receipt. An erasure that is over stays as it is. */
  complete(run: RunRef): Promise<void>;
}

const PAGE_ROWS = 200;
const PAGE_UNITS = 500;
const PAGE_BLOBS = 50;
/** Between two looks at indexes that have still work. */
const INDEX_PAUSE_MS = 500;
const OVER: StepReport = { more: false, waitMs: 0, erased: 0 };

/** The units of the run, page by page. */
async function* unitPages({ pages }: ErasureDependencies, run: RunRef) {
  let after: UnitPlace | null = null;
  for (;;) {
    const page = await pages.units(run, after, PAGE_UNITS);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE_UNITS) return;
    after = { unit: last.unit, unitId: last.unit_id };
  }
}

type UnitPage = Awaited<ReturnType<ErasurePagesStore['units']>>;

const idsOf = (page: UnitPage, unit: (typeof UNIT_KINDS)[number], isGone: boolean): string[] =>
  page.filter((row) => row.unit === unit && row.is_gone === isGone).map(({ unit_id: id }) => id);

/** Waits for the projection, then reaches the indexes that it does not write. */
async function eraseFromIndexes(deps: ErasureDependencies, run: RunRef): Promise<StepReport> {
  const { accountId } = run;
  const { indexes, pages, ring } = deps;
  const waiting = await pages.unitsWaiting(run, PAGE_UNITS);
  if (waiting > 0) {
    for (const shard of await pages.waitingShards(run))
      ring({ accountId, kind: 'projection', shard });
    return { more: true, waitMs: INDEX_PAUSE_MS, erased: 0 };
  }
  for await (const page of unitPages(deps, run)) {
    for (const unit of UNIT_KINDS) {
      await indexes.eraseElsewhere(accountId, unit, {
        gone: idsOf(page, unit, true),
        staying: idsOf(page, unit, false),
      });
    }
  }
  return OVER;
}

/** Entries that indexes hold of units that are gone. */
async function entriesLeft(deps: ErasureDependencies, run: RunRef): Promise<number> {
  let left = 0;
  for await (const page of unitPages(deps, run)) {
    for (const unit of UNIT_KINDS) {
      left += await deps.indexes.held(run.accountId, unit, idsOf(page, unit, true));
    }
  }
  return left;
}

/** Deletes a page of bytes that no version has any more, each under the lock that an upload of the same bytes takes. */
async function eraseBlobs(deps: ErasureDependencies, run: RunRef): Promise<StepReport> {
  const { blobs, pages } = deps;
  const found = await pages.blobs(run, PAGE_BLOBS);
  for (const sha256 of found) await pages.deleteBlob(run, sha256, blobs);
  return { more: found.length === PAGE_BLOBS, waitMs: 0, erased: found.length };
}

/** SHA-256 over the ids of all units and the hashes of all bytes, in order, one a line. */
async function manifestOf(deps: ErasureDependencies, run: RunRef): Promise<string> {
  const hash = createHash('sha256');
  for await (const page of unitPages(deps, run)) {
    for (const { unit, unit_id: id } of page) hash.update(`${unit} ${id}\n`);
  }
  for (const sha256 of await deps.pages.deletedBlobs(run)) hash.update(`blob ${sha256}\n`);
  return hash.digest('hex');
}

async function readBack(deps: ErasureDependencies, run: RunRef, peerId: string): Promise<number> {
  const { indexes, pages, report } = deps;
  const { accountId } = run;
  const places = await pages.placesLeft(run);
  const entries = (await entriesLeft(deps, run)) + (await indexes.heldOfPeer(accountId, peerId));
  if (places.length + entries > 0) {
    report({ places: places.length, entries });
  }
  return places.length + entries;
}

/** The erasures of a worker. */
export function createErasure(deps: ErasureDependencies): Erasure {
  const { newId, pages, ring, settleMs, sign } = deps;
  const rules = lossRules(newId);
  return {
    async step(run) {
      const { accountId, step } = run;
      if (step === 'indexes') return eraseFromIndexes(deps, run);
      if (step === 'blobs') return eraseBlobs(deps, run);
      const page = await pages.page({ ...run, step, limit: PAGE_ROWS }, rules);
      if (page.marked) ring({ accountId, kind: 'projection', shard: ERASURE_SHARD });
      const erased = Object.values(page.erased).reduce((sum, count) => sum + count, 0);
      return { more: page.more, waitMs: 0, erased };
    },
    async verify(run) {
      const erasure = await pages.find(run);
      if (erasure === null) return { remaining: 0, nextInMs: null };
      const remaining = await readBack(deps, run, erasure.peer_id);
      if (remaining > 0) {
        await pages.recordReading(run, 'something');
        return { remaining, nextInMs: INDEX_PAUSE_MS };
      }
      if (erasure.first_verified_at !== null) {
        const since = Date.now() - Date.parse(erasure.first_verified_at);
        return { remaining, nextInMs: since < settleMs ? settleMs - since : null };
      }
      await pages.recordReading(run, 'nothing');
      return { remaining, nextInMs: settleMs };
    },
    async complete(run) {
      const manifest = await manifestOf(deps, run);
      const secondVerifiedAt = new Date().toISOString();
      await pages.complete(run, (erasure) => {
        if (erasure.first_verified_at === null) throw new TypeError('an erasure is verified first');
        const completedAt = new Date().toISOString();
        return sign({
          receipt: ERASURE_RECEIPT,
          erasure_id: erasure.id,
          mode: erasure.mode,
          requested_at: erasure.requested_at,
          verified_at: [erasure.first_verified_at, secondVerifiedAt],
          completed_at: completedAt,
          erased: erasure.erased,
          manifest_sha256: manifest,
          note: RECEIPT_NOTE,
        });
      });
    },
  };
}
