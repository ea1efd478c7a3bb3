/**
 * Writes the indexes of an account that came out of an archive: marks every unit page by page, and opens the account
 * once Qdrant has them. The marks are worked off as all others are, and bring words, names and context cards along.
 */
import type { Mailbox } from '../../domain/actors/names.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import { UNIT_KINDS, type UnitKind } from '../../domain/retrieval/units.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';

/** Where a rebuild has come. */
export interface RebuildPlace {
  readonly unit: UnitKind;
  readonly afterId: string | null;
}

export interface RebuildPage {
  readonly marked: number;
  /** Null after the last unit. */
  readonly next: RebuildPlace | null;
  /** When they were marked, by the clock of the database. */
  readonly at: string;
}

export interface ImportRebuild {
  /** Marks the units of one page; may be repeated. */
  mark(run: RunRef, place: RebuildPlace): Promise<RebuildPage>;
  /** Opens the account if Qdrant has what was marked up to `until`. `waiting` counts to 1,000; `nextInMs` is null at the end. */
  open(
    run: RunRef,
    until: string,
  ): Promise<{ readonly waiting: number; readonly nextInMs: number | null }>;
}

export interface ImportRebuildDependencies {
  readonly inAccount: InAccount;
  readonly ring: (mailbox: Mailbox) => void;
}

const PAGE_UNITS = 500;
const NEXT_LOOK_MS = 2_000;
const NEVER = '1970-01-01T00:00:00.000Z';

function placeAfter(
  unit: UnitKind,
  lastId: string | undefined,
  count: number,
): RebuildPlace | null {
  if (lastId !== undefined && count === PAGE_UNITS) return { unit, afterId: lastId };
  const next = UNIT_KINDS[UNIT_KINDS.indexOf(unit) + 1];
  return next === undefined ? null : { unit: next, afterId: null };
}

export function createImportRebuild({ inAccount, ring }: ImportRebuildDependencies): ImportRebuild {
  return {
    async mark({ accountId, runId }, { afterId, unit }) {
      const marked = await inAccount(accountId, async (stores) => {
        if (!(await stores.runs.begin(runId, false))) return null;
        const options = { scopeIds: null, afterId, limit: PAGE_UNITS };
        const found = await stores.units.page(unit, options);
        await stores.dirtyMarks.add(found);
        return { found, at: await stores.archive.instant() };
      });
      if (marked === null) return { marked: 0, next: null, at: NEVER };
      const { at, found } = marked;
      for (const shard of new Set(found.map((each) => each.shard))) {
        ring({ accountId, kind: 'projection', shard });
      }
      return {
        marked: found.length,
        next: placeAfter(unit, found.at(-1)?.unitId, found.length),
        at,
      };
    },
    open: ({ accountId, runId }, until) =>
      inAccount(accountId, async (stores) => {
        // A run that has ended has opened the account.
        if (!(await stores.runs.begin(runId, false))) return { waiting: 0, nextInMs: null };
        const waiting = await stores.archive.waitingForQdrant(until);
        if (waiting > 0) return { waiting, nextInMs: NEXT_LOOK_MS };
        await stores.archive.openAccount();
        await stores.runs.complete(runId);
        return { waiting, nextInMs: null };
      }),
  };
}
