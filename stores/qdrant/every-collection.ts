/**
 * The points of every collection of the deployment, those of earlier models and analyzers included: an erasure reaches
 * all of them, though searches ask only one.
 */
import type { QdrantClient } from '@qdrant/js-client-rest';
import type { UnitKind } from '../../domain/retrieval/units.ts';
import { asking } from './client.ts';
import { listCollections } from './collection.ts';
import { asFilter, matches, matchesAny, unitFilter, type PointFilter } from './filter.ts';

export class EveryCollection {
  readonly #client: QdrantClient;
  readonly #prefix: string;

  constructor(client: QdrantClient, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /** Deletes the points of the units in every collection but `except`. */
  async deleteUnits(
    accountId: string,
    unit: UnitKind,
    unitIds: readonly string[],
    except: readonly string[],
  ): Promise<void> {
    if (unitIds.length === 0) return;
    const filter = asFilter(ofUnits(accountId, unit, unitIds));
    for (const name of await this.#names()) {
      if (except.includes(name)) continue;
      await asking(() => this.#client.delete(name, { wait: true, filter }));
    }
  }

  /** Points of the units. */
  countUnits(accountId: string, unit: UnitKind, unitIds: readonly string[]): Promise<number> {
    return this.#count(ofUnits(accountId, unit, unitIds));
  }

  /** Points that are about the peer, or that it said or submitted. */
  countOfPeer(accountId: string, peerId: string): Promise<number> {
    const isOf = ['subject_peer', 'speaker', 'submitters'].map((key) => matches(key, peerId));
    return this.#count({ must: [matches('account', accountId), { should: isOf }] });
  }

  async #names(): Promise<readonly string[]> {
    const states = await listCollections(this.#client, { prefix: this.#prefix });
    return states.map(({ name }) => name);
  }

  async #count(of: PointFilter): Promise<number> {
    const filter = asFilter(of);
    let total = 0;
    for (const name of await this.#names()) {
      const { count } = await asking(() => this.#client.count(name, { filter, exact: true }));
      total += count;
    }
    return total;
  }
}

const ofUnits = (accountId: string, unit: UnitKind, unitIds: readonly string[]): PointFilter => ({
  must: [unitFilter(accountId, unit), matchesAny('source_id', unitIds)],
});
