/** The indexes of a running start, spoiled behind the service's back. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { idInIndex } from '../../../stores/id-in-index.ts';
import { statementPointId } from '../../../stores/qdrant/point-id.ts';
import { createMeilisearchClient } from '../../../stores/meilisearch/client.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import type { StackDirectory } from '../../../measure/stack.ts';

const state = z.object({
  ports: z.object({ meilisearch: z.int(), qdrant: z.int() }),
  secrets: z.object({ meilisearchMasterKey: z.string(), qdrantApiKey: z.string() }),
});

export interface StatementRef {
  readonly accountId: string;
  readonly statementId: string;
}

export interface Indexes {
  /** Takes the statement out of both indexes. */
  remove(statement: StatementRef): Promise<void>;
  /** Puts a statement into both indexes that Postgres does not know. */
  plant(accountId: string): Promise<void>;
  /** Makes both indexes show the statement in a version that it never had. */
  overtake(statement: StatementRef): Promise<void>;
}

const NEVER_REACHED = 1_000_000;

/** Opens the indexes of a start by the ports and keys that it remembers. */
export async function openIndexes(directory: StackDirectory): Promise<Indexes> {
  const text = readFileSync(join(directory.path, '.vouch/state.json'), 'utf8');
  const { ports, secrets } = state.parse(JSON.parse(text));
  const qdrant = createQdrantClient({
    url: `http://127.0.0.1:${ports.qdrant}`,
    apiKey: secrets.qdrantApiKey,
    timeoutMs: 10_000,
  });
  const meilisearch = createMeilisearchClient({
    url: `http://127.0.0.1:${ports.meilisearch}`,
    masterKey: secrets.meilisearchMasterKey,
    timeoutMs: 10_000,
  });
  const collections = (await qdrant.getCollections()).collections.map(({ name }) => name);
  // Beside it stands the mark of the installation.
  const collection = only(collections.filter((name) => !name.endsWith('-installation')));
  const names = (await meilisearch.getRawIndexes()).results.map(({ uid }) => uid);
  const index = meilisearch.index(only(names.filter((name) => name.includes('statement'))));
  const pointOf = ({ accountId, statementId }: StatementRef): string =>
    statementPointId(accountId, statementId);
  const recordOf = ({ accountId, statementId }: StatementRef): string =>
    idInIndex(accountId, 'statement', statementId);

  return {
    async remove(statement) {
      await qdrant.delete(collection, { points: [pointOf(statement)], wait: true });
      await index.deleteDocument(recordOf(statement)).waitTask();
    },
    async plant(accountId) {
      const payload = { account: accountId, source_id: uuidv7(), row_version: 1 };
      const vector = { words: { indices: [1], values: [1] } };
      await qdrant.upsert(collection, {
        wait: true,
        points: [{ id: uuidv7(), vector, payload: { ...payload, unit: 'statement' } }],
      });
      await index.addDocuments([{ id: uuidv7(), ...payload, text: 'planted' }]).waitTask();
    },
    async overtake(statement) {
      const payload = { row_version: NEVER_REACHED };
      await qdrant.setPayload(collection, { payload, points: [pointOf(statement)], wait: true });
      await index.updateDocuments([{ id: recordOf(statement), ...payload }]).waitTask();
    },
  };
}

function only(names: readonly string[]): string {
  const [name, ...others] = names;
  if (name === undefined || others.length > 0) throw new Error(`not one name: ${names.join(' ')}`);
  return name;
}

/** Records of all full-text indexes that hold the word. Texts are kept there as words. */
export async function searchEverywhere(directory: StackDirectory, word: string): Promise<number> {
  const text = readFileSync(join(directory.path, '.vouch/state.json'), 'utf8');
  const { ports, secrets } = state.parse(JSON.parse(text));
  const client = createMeilisearchClient({
    url: `http://127.0.0.1:${ports.meilisearch}`,
    masterKey: secrets.meilisearchMasterKey,
    timeoutMs: 10_000,
  });
  let found = 0;
  for (const { uid } of (await client.getRawIndexes()).results) {
    found += (await client.index(uid).search(word, { limit: 1 })).hits.length;
  }
  return found;
}
