/**
 * The records of every index of the deployment, those of earlier analyzers included: an erasure reaches all of them,
 * though searches ask only two.
 */
import type { Meilisearch } from 'meilisearch';
import { UNIT_KINDS, type UnitKind } from '../../domain/retrieval/units.ts';
import { idInIndex } from '../id-in-index.ts';
import { asking, settled } from './client.ts';
import { quoted } from './filter.ts';
import type { IndexNames } from './indexes.ts';

const PAGE = 1_000;
const NOUNS: Readonly<Record<UnitKind, string>> = { statement: 'statements', message: 'messages' };

/** Which fields of a record name a peer. */
const PEER_FIELDS: Readonly<Record<UnitKind, readonly string[]>> = {
  statement: ['subject_peer', 'submitters'],
  message: ['speaker'],
};

export class EveryIndex {
  readonly #client: Meilisearch;
  readonly #prefix: string;

  constructor(client: Meilisearch, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /** Deletes the records of the units in every index but those of `except`. */
  async deleteUnits(
    accountId: string,
    unit: UnitKind,
    unitIds: readonly string[],
    except: IndexNames,
  ): Promise<void> {
    const ids = unitIds.map((id) => idInIndex(accountId, unit, id));
    for (const name of await this.#names(unit)) {
      if (name === except[unit] || ids.length === 0) continue;
      await settled(this.#client, this.#client.index(name).deleteDocuments([...ids]));
    }
  }

  /** Records of the units. */
  countUnits(accountId: string, unit: UnitKind, unitIds: readonly string[]): Promise<number> {
    const ids = unitIds.map((id) => quoted(idInIndex(accountId, unit, id)));
    return ids.length === 0 ? Promise.resolve(0) : this.#count(unit, `id IN [${ids.join(', ')}]`);
  }

  /** Records that are about the peer, or that it said or submitted. */
  async countOfPeer(accountId: string, peerId: string): Promise<number> {
    let total = 0;
    for (const unit of UNIT_KINDS) {
      const isOf = PEER_FIELDS[unit].map((field) => `${field} = ${quoted(peerId)}`);
      total += await this.#count(unit, `account = ${quoted(accountId)} AND (${isOf.join(' OR ')})`);
    }
    return total;
  }

  async #names(unit: UnitKind): Promise<readonly string[]> {
    const start = `${this.#prefix}_${NOUNS[unit]}_`.replaceAll(/[^A-Za-z0-9_-]+/g, '-');
    const names: string[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = await asking(() => this.#client.getRawIndexes({ limit: PAGE, offset }));
      names.push(...page.results.map(({ uid }) => uid).filter((uid) => uid.startsWith(start)));
      if (page.results.length < PAGE) return names;
    }
  }

  async #count(unit: UnitKind, filter: string): Promise<number> {
    let total = 0;
    for (const name of await this.#names(unit)) {
      const { total: found } = await asking(() =>
        this.#client.index(name).getDocuments({ filter, limit: 0, fields: ['id'] }),
      );
      total += found;
    }
    return total;
  }
}
