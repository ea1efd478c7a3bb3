/** One batch of a drain: what it holds, and how its anchors ended. Batches of several drains are committed together. */
import type { UnitCounts } from '../../domain/actors/unit-counts.ts';
import type { PlacedScope } from '../../domain/scopes/chain-ids.ts';
import type { Hold } from '../../stores/postgres/observations/anchor-ends.ts';

/** How an anchor ended; `fenced`: the drain no longer held it. */
export type End = keyof UnitCounts;

export interface BatchFacts {
  readonly shard: number;
  readonly epoch: number;
  /** Every scope of the chains of the batch; one may stand there twice. */
  readonly scopes: readonly PlacedScope[];
  /** Aborted when the batch is cut off: nothing new is begun for it then. */
  readonly signal: AbortSignal;
  /** Told of anchors that the drain no longer holds. */
  readonly settled: (messageIds: readonly string[]) => void;
}

export class ExtractionBatch {
  readonly facts: BatchFacts;
  #counts: UnitCounts = { ok: 0, retry: 0, failed: 0, fenced: 0 };

  constructor(facts: BatchFacts) {
    this.facts = facts;
  }

  get report(): UnitCounts {
    return this.#counts;
  }

  get isCutOff(): boolean {
    return this.facts.signal.aborted;
  }

  hold(messageId: string): Hold {
    return { messageId, epoch: this.facts.epoch };
  }

  /** Counts anchors that ended, which the drain no longer holds. */
  end(how: End, messageIds: readonly string[]): void {
    this.#counts = { ...this.#counts, [how]: this.#counts[how] + messageIds.length };
    this.facts.settled(messageIds);
  }
}
