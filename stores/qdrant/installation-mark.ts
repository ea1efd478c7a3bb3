/** The mark of the database that the collections belong to, in a collection of its own, which has no vectors. */
import type { QdrantClient } from '@qdrant/js-client-rest';
import { asking } from './client.ts';

const ID = 1;

export class QdrantMark {
  readonly #client: QdrantClient;
  readonly #name: string;

  /** No other collection has a name of this form: they have an underscore where this has a hyphen. */
  constructor(client: QdrantClient, prefix: string) {
    this.#client = client;
    this.#name = `${prefix}-installation`;
  }

  /** Null where there is none. Throws an `IndexFailure` while the index is away. */
  async read(): Promise<string | null> {
    return asking(async () => {
      if (!(await this.#client.collectionExists(this.#name)).exists) return null;
      const [point] = await this.#client.retrieve(this.#name, { ids: [ID], with_payload: true });
      const mark: unknown = point?.payload?.['mark'];
      return typeof mark === 'string' ? mark : null;
    });
  }

  async write(mark: string): Promise<void> {
    await asking(async () => {
      if (!(await this.#client.collectionExists(this.#name)).exists) {
        await this.#client.createCollection(this.#name, { vectors: {} });
      }
      const point = { id: ID, vector: {}, payload: { mark } };
      await this.#client.upsert(this.#name, { wait: true, points: [point] });
    });
  }
}
