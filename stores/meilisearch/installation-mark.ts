/** The mark of the database that an index belongs to, in an index of its own. */
import type { Meilisearch } from 'meilisearch';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { asking, settled } from './client.ts';

const ID = 'mark';
/** What an index, and a document, that is not there is called. */
const ABSENT: ReadonlySet<string | null> = new Set(['index_not_found', 'document_not_found']);

export class MeilisearchMark {
  readonly #client: Meilisearch;
  readonly #name: string;

  /** No other index has a name of this form: they have an underscore where this has a hyphen. */
  constructor(client: Meilisearch, prefix: string) {
    this.#client = client;
    this.#name = `${prefix}-installation`;
  }

  /** Null where there is none. Throws an `IndexFailure` while the index is away. */
  async read(): Promise<string | null> {
    try {
      const document = await asking(() => this.#client.index(this.#name).getDocument(ID));
      return String(document['mark']);
    } catch (error) {
      if (error instanceof IndexFailure && ABSENT.has(error.code)) return null;
      throw error;
    }
  }

  async write(mark: string): Promise<void> {
    const index = this.#client.index(this.#name);
    await settled(this.#client, index.addDocuments([{ id: ID, mark }], { primaryKey: 'id' }));
  }
}
