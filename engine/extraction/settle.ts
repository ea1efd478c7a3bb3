/**
 * Settles anchors: commits their statements, has them indexed and completes the anchors, or fails them. The anchors of a
 * group may be of several batches. A group that fails is halved until the anchor at fault stands alone and gets its
 * status. The outcomes are kept meanwhile, so no model is asked again about the other anchors.
 */
import type { Hold } from '../../stores/postgres/observations/anchor-ends.ts';
import type { AnchorsStore } from '../../stores/postgres/observations/anchors.store.ts';
import { unitsOfStatements, type Demand } from '../demand.ts';
import type { Indexer } from '../indexes/indexer.ts';
import { withSignalOfAll } from '../signal-of-all.ts';
import type { ExtractionBatch, End } from './batch.ts';
import { bisect } from '../bisect.ts';
import {
  candidatesIn,
  commitOutcomes,
  type CommitDeps,
  type Committed,
  type Member,
} from './commit.ts';
import type { LoadedAnchor } from './window.ts';

export interface SettleDeps extends CommitDeps {
  readonly anchors: Pick<AnchorsStore, 'complete' | 'fail'>;
  readonly indexer: Pick<Indexer, 'indexStatements'>;
  /** Tells the projection actor that marks were left. Never awaited, never throws. */
  readonly ring: (mailbox: {
    readonly accountId: string;
    readonly kind: 'projection';
    readonly shard: number;
  }) => void;
  /** Whether an error says that the database is gone; no anchor is failed for such an error. */
  readonly isDatabaseGone: (error: unknown) => boolean;
  /** Counts the statements that are committed. */
  readonly demand?: Pick<Demand, 'brings'> | undefined;
  /** Told of failures that the batch survives, by code and count; never of content. */
  readonly report: (event: string, fields: Readonly<Record<string, string | number>>) => void;
}

const INDEX_TIMEOUT_MS = 2_000;
/** After this many lost holds, the indexing of an anchor's statements is left to the projection. */
const LOST_WHILE_INDEXING = 2;

/** An anchor whose statements are committed. */
export interface Extracted {
  readonly messageId: string;
  readonly batch: ExtractionBatch;
  readonly knowledgeIds: readonly string[];
  /** The mailbox that the marks of its statements were left in. */
  readonly shard: number;
}

const endedAs = (how: End, ids: readonly string[]): [string, End][] => ids.map((id) => [id, how]);

function endsOf({ completed, failed, retry }: Committed): ReadonlyMap<string, End> {
  return new Map([
    ...endedAs('ok', completed),
    ...endedAs('retry', retry),
    ...endedAs('failed', failed),
  ]);
}

const holdsOf = (extracted: readonly Extracted[]): Hold[] =>
  extracted.map(({ batch, messageId }) => batch.hold(messageId));

/** Settles the anchors of one account. */
export class ExtractionSettlement {
  readonly #deps: SettleDeps;
  readonly #accountId: string;

  constructor(deps: SettleDeps, accountId: string) {
    this.#deps = deps;
    this.#accountId = accountId;
  }

  /** Settles an anchor that a defect of this service stopped, without reading anything that a commit reads. */
  async failAlone(batch: ExtractionBatch, messageId: string): Promise<void> {
    this.#deps.report('extraction.failed', { class: 'internal_error' });
    const { epoch, shard } = batch.facts;
    const [status] = await this.#deps.anchors.fail(this.#accountId, epoch, [messageId]);
    // Its statements are committed: the projection may do what is left.
    if (status === undefined) await this.#complete([{ batch, messageId, knowledgeIds: [], shard }]);
    else batch.end(status === 'failed' ? 'retry' : 'failed', [messageId]);
  }

  /** Commits outcomes in one transaction, as far as none is at fault; answers what is to be indexed. */
  async commit(members: readonly Member[]): Promise<readonly Extracted[]> {
    const statements = members.reduce((sum, member) => sum + candidatesIn(member), 0);
    // Counted once, however often a group that fails is halved and tried again.
    this.#deps.demand?.brings(this.#accountId, unitsOfStatements(statements));
    const extracted: Extracted[] = [];
    await bisect(members, {
      work: async (group) => void extracted.push(...(await this.#commitGroup(group))),
      alone: async ({ batch, outcome }) => {
        if (!batch.isCutOff) await this.failAlone(batch, outcome.anchor.messageId);
      },
      endsAll: (error) => this.#deps.isDatabaseGone(error),
      failed: (group) => this.#deps.report('extraction.commit_failed', { anchors: group.length }),
    });
    return extracted;
  }

  /** Completes anchors whose statements an earlier drain committed. */
  async finish(batch: ExtractionBatch, anchors: readonly LoadedAnchor[]): Promise<void> {
    const { shard } = batch.facts;
    const left = anchors.flatMap(({ messageId, extracted, lostHolds }) =>
      extracted === null
        ? []
        : [{ batch, messageId, lostHolds, shard, knowledgeIds: extracted.knowledgeIds }],
    );
    const suspects = left.filter(({ lostHolds }) => lostHolds >= LOST_WHILE_INDEXING);
    if (suspects.length > 0) await this.#complete(suspects);
    await this.index(left.filter((anchor) => !suspects.includes(anchor)));
  }

  async #commitGroup(members: readonly Member[]): Promise<readonly Extracted[]> {
    const [first] = members;
    if (first === undefined) return [];
    // The marks of a group go to one mailbox, which one drain empties.
    const { shard } = first.batch.facts;
    const signals = members.map(({ batch }) => batch.facts.signal);
    const done = await withSignalOfAll(signals, (signal) =>
      commitOutcomes(this.#deps, { accountId: this.#accountId, shard }, members, signal),
    );
    const waiting = new Set(done.extracted);
    const ends = endsOf(done);
    const extracted: Extracted[] = [];
    for (const { batch, outcome } of members) {
      const { messageId } = outcome.anchor;
      if (!waiting.has(messageId)) batch.end(ends.get(messageId) ?? 'fenced', [messageId]);
      else extracted.push({ batch, messageId, shard, knowledgeIds: done.knowledgeIds });
    }
    return extracted;
  }

  /** Waits at most `INDEX_TIMEOUT_MS` until a search finds the statements, and completes their anchors. */
  async index(extracted: readonly Extracted[]): Promise<void> {
    await bisect(extracted, {
      work: (group) => this.#indexGroup(group),
      alone: async (one) => {
        if (!one.batch.isCutOff) await this.#complete([one]);
      },
      endsAll: (error) => this.#deps.isDatabaseGone(error),
      failed: (group) => this.#deps.report('extraction.index_failed', { anchors: group.length }),
    });
  }

  async #indexGroup(extracted: readonly Extracted[]): Promise<void> {
    const accountId = this.#accountId;
    const knowledgeIds = [...new Set(extracted.flatMap((anchor) => anchor.knowledgeIds))];
    let left = extracted;
    const completed = new Set<string>();
    if (knowledgeIds.length > 0) {
      const shards = new Set(extracted.map(({ shard }) => shard));
      for (const shard of shards) this.#deps.ring({ accountId, kind: 'projection', shard });
      // Those of a batch that is cut off stay committed and held: the next drain has only the indexing left to do.
      left = extracted.filter(({ batch }) => !batch.isCutOff);
      if (left.length === 0) return;
      const signals = left.map(({ batch }) => batch.facts.signal);
      const holds = holdsOf(left);
      await withSignalOfAll(signals, (signal) =>
        this.#deps.indexer.indexStatements({
          accountId,
          knowledgeIds,
          timeoutMs: INDEX_TIMEOUT_MS,
          signal,
          alongside: async (stores) => {
            for (const id of await stores.heldAnchors.complete(holds)) completed.add(id);
          },
        }),
      );
    }
    await this.#complete(left, completed);
  }

  /** Completes the anchors that are not `completed`, if they are still held. */
  async #complete(
    extracted: readonly Extracted[],
    completed: Set<string> = new Set(),
  ): Promise<void> {
    const left = extracted.filter(({ messageId }) => !completed.has(messageId));
    if (left.length > 0) {
      const ids = await this.#deps.anchors.complete(this.#accountId, holdsOf(left));
      for (const id of ids) completed.add(id);
    }
    for (const { batch, messageId } of extracted) {
      batch.end(completed.has(messageId) ? 'ok' : 'fenced', [messageId]);
    }
  }
}
