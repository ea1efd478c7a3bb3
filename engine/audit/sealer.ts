/**
 * Seals audit events: gives them their places in the chain of their account. Each page is one transaction, so whatever
 * ends a pass, the next one goes on from the end of the chain. Several processes may seal at once: of one account one
 * does, and the others pass it over.
 */
import { hashesAfter, type ChainPoint, type AuditFields } from '../../domain/audit/chain.ts';
import type { AuditChainStore } from '../../stores/postgres/audit/audit-chain.store.ts';
import { eachOf } from '../async.ts';
import { eventDigest } from './digest.ts';

export interface SealReport {
  readonly sealed: number;
  /** Accounts whose events could not be sealed; the next pass tries them again. */
  readonly failed: number;
}

export interface SealerOptions {
  readonly store: AuditChainStore;
  /** Told of each account that failed. */
  readonly onFailure: (error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export interface Sealer {
  /** Seals what is old enough, in all accounts. Throws only when the accounts cannot be asked for. */
  pass(signal: AbortSignal): Promise<SealReport>;
}

/** Hashing one page takes some milliseconds. */
const EVENTS_PER_PAGE = 500;
/** Pages of one account before others have their turn. */
const PAGES_PER_TURN = 10;
const ACCOUNTS_PER_PAGE = 100;
/** Accounts at a time: one that waits in the database does not hold up the others. */
const IN_FLIGHT = 4;
/** A pass ends after the turn in which it has lasted this long; the next one goes on. */
const LONGEST_PASS_MS = 20_000;
/** The longest that one statement of a page may take. */
const PAGE_TIMEOUT_MS = 10_000;

/** How often a pass looks for events that appeared among older ones, which were sealed. The first one does too. */
const COMPLETE_EVERY_MS = 3_600_000;

const seal = (events: readonly AuditFields[], end: ChainPoint): readonly string[] =>
  hashesAfter(end, events, eventDigest);

/** A sealer on the store. Call passes one after another. */
export function createSealer(options: SealerOptions): Sealer {
  const { store, onFailure, now = () => performance.now() } = options;

  let completeAt = Number.NEGATIVE_INFINITY;

  /** One turn of an account: how many events it sealed, and whether there are more. */
  async function turn(accountId: string, everything: boolean, signal: AbortSignal) {
    const limits = { statementTimeoutMs: PAGE_TIMEOUT_MS, signal };
    let sealed = 0;
    let after: string | null = null;
    for (let pages = 0; pages < PAGES_PER_TURN; pages += 1) {
      const page = { after, everything, limit: EVENTS_PER_PAGE };
      const done = await store.sealPage(accountId, page, seal, limits);
      sealed += done.sealed;
      after = done.next;
      if (after === null) return { sealed, hasMore: false };
    }
    return { sealed, hasMore: true };
  }

  return {
    async pass(signal) {
      const endsAt = now() + LONGEST_PASS_MS;
      let sealed = 0;
      let failed = 0;
      let rest: string[] = [];
      const everything = now() >= completeAt;

      const sealAll = async (accountIds: readonly string[]): Promise<void> => {
        await eachOf(accountIds, IN_FLIGHT, async (accountId) => {
          if (signal.aborted) return;
          try {
            const done = await turn(accountId, everything, signal);
            sealed += done.sealed;
            if (done.hasMore) rest.push(accountId);
          } catch (error) {
            if (signal.aborted) return;
            failed += 1;
            onFailure(error);
          }
        });
      };

      for (let afterId: string | null = null; ;) {
        const accounts = await store.unsealedAccounts(afterId, everything, ACCOUNTS_PER_PAGE);
        await sealAll(accounts.map((account) => account.accountId));
        afterId = accounts.at(-1)?.accountId ?? null;
        if (afterId === null || signal.aborted) break;
      }
      if (everything && !signal.aborted) completeAt = now() + COMPLETE_EVERY_MS;
      while (rest.length > 0 && now() < endsAt && !signal.aborted) {
        const again = rest;
        rest = [];
        await sealAll(again);
      }
      return { sealed, failed };
    },
  };
}
