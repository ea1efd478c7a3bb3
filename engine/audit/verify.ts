/** Walks the audit chain of an account from its beginning to its end, page by page. Changes nothing. */
import {
  endFinding,
  follow,
  GENESIS,
  wasMoved,
  type ChainFinding,
  type ChainPoint,
  type SealedEvent,
} from '../../domain/audit/chain.ts';
import type { AuditChainStore } from '../../stores/postgres/audit/audit-chain.store.ts';
import { eventDigest } from './digest.ts';

export interface ChainReport {
  /** Events that stand where they were sealed, up to the first fault. */
  readonly verified: number;
  /** Events that are not sealed yet: nothing can be said of them. */
  readonly unsealed: number;
  /** Seconds since the oldest of them; 0 when there are none. */
  readonly oldestUnsealedSeconds: number;
  /** The last event that was verified: what to keep, and to expect the next time. */
  readonly head: ChainPoint;
  readonly finding: ChainFinding | null;
}

export interface VerifyOptions {
  /** A hash that was printed earlier, lower-case hex: it must be in the chain. */
  readonly expectedHead: string | null;
  readonly signal: AbortSignal;
  /** Told now and then of how many events of all were verified. */
  readonly progress?: (verified: number, all: number) => void;
}

export type VerifyChain = (accountId: string, options: VerifyOptions) => Promise<ChainReport>;

/** Hashing one page takes some milliseconds. */
const EVENTS_PER_PAGE = 500;
const PROGRESS_EVERY = 100_000;
/** Events after a fault among which the one that was sealed there is looked for. */
const MOST_LOOKED_AHEAD = 10_000;

/** A changed event, or one that changed places with a later one. */
async function explained(
  store: AuditChainStore,
  accountId: string,
  { fault, ...where }: ChainFinding,
  last: ChainPoint,
): Promise<ChainFinding> {
  if (fault !== 'changed') return { fault, ...where };
  let found: SealedEvent | undefined;
  let after: SealedEvent | ChainPoint = last;
  for (let looked = 0; looked < MOST_LOOKED_AHEAD; looked += EVENTS_PER_PAGE) {
    const page = await store.sealed(accountId, after, EVENTS_PER_PAGE);
    const [first] = page;
    const end = page.at(-1);
    if (first === undefined || end === undefined) break;
    found ??= first;
    if (wasMoved(last, found, page, eventDigest)) return { fault: 'reordered', ...where };
    after = end;
  }
  return { fault, ...where };
}

/** Verifies on this store. One page of events is in memory at a time, however long the chain is. */
export function createVerifyChain(store: AuditChainStore): VerifyChain {
  return async (accountId, { expectedHead, progress, signal }) => {
    // What is sealed during the walk comes after this end, and is left for the next one.
    const { oldestUnsealedSeconds, unsealed, ...end } = await store.end(accountId);
    let last = GENESIS;
    let after: ChainPoint | SealedEvent = GENESIS;
    let finding: ChainFinding | null = null;
    let wasSeen = expectedHead === null || expectedHead === GENESIS.hash;
    while (finding === null && last.position < end.position) {
      signal.throwIfAborted();
      const limit = Math.min(EVENTS_PER_PAGE, end.position - last.position);
      const page: readonly SealedEvent[] = await store.sealed(accountId, after, limit);
      if (page.length === 0) break;
      const before = last;
      ({ last, finding } = follow(before, page, eventDigest));
      wasSeen ||= page.some(
        ({ hash, position }) => hash === expectedHead && position <= last.position,
      );
      after = page.at(-1) ?? after;
      const passed = Math.floor(last.position / PROGRESS_EVERY);
      if (passed > Math.floor(before.position / PROGRESS_EVERY)) {
        progress?.(last.position, end.position);
      }
    }
    finding =
      finding === null ? endFinding(last, end) : await explained(store, accountId, finding, last);
    if (finding === null && !wasSeen) {
      finding = { fault: 'head_missing', position: last.position, eventId: null };
    }
    return { verified: last.position, unsealed, oldestUnsealedSeconds, head: last, finding };
  };
}
