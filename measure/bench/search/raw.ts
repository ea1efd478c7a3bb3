/** The requests that a search sends to Qdrant, sent without the service: what its ranking costs at least. */
import { candidateSearch } from '../../../engine/retrieval/candidate-search.ts';
import { planQuery, termIdsOf, weighWords } from '../../../engine/text/query-plan.ts';
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import { chunkSearchFor } from '../../../domain/retrieval/chunk-search.ts';
import { messageReaders } from '../../../domain/retrieval/message-search.ts';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';
import { poolSize, RETRIEVAL_PROFILES } from '../../../domain/retrieval/strategies.ts';
import { hasDirection } from '../../../engine/indexes/dense.ts';
import { embedDeterministic } from '../../../engine/text/embedding/deterministic.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { openPool } from '../../../stores/postgres/pool.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { PointReader } from '../../../stores/qdrant/point-reader.ts';
import { z } from 'zod';
import type { LoadedStack } from '../load/stack.ts';
import type { Asked, Question } from './asked.ts';

/** With what the service looks for meaning: the built-in embedder, or not at all. */
export const EMBEDDERS = ['default', 'none'] as const;
export type Embedder = (typeof EMBEDDERS)[number];

const TIMEOUT_MS = 10_000;
const place = z.object({ account: z.uuid(), peer: z.uuid() });

export interface RawSearch {
  /** Prepares the requests for this question; the function that it answers sends them together. Null: there are none. */
  prepare(question: Question, asked: Asked): Promise<(() => Promise<unknown>) | null>;
  close(): Promise<void>;
}

/** The scopes of the path and above, and who reads with the agent key. */
async function placeOf({ admin }: LoadedStack, path: string) {
  const { rows } = await admin.query(
    `select s.account_id as account, (select id from peers p where p.account_id = s.account_id and p.kind = 'agent' limit 1) as peer
     from scopes s where s.path = $1`,
    [path],
  );
  const { account, peer } = place.parse(rows[0]);
  const chain = path.split('/').map((_, i, parts) => parts.slice(0, i + 1).join('/') || '/');
  const found = await admin.query<{ id: string }>(
    'select id from scopes where account_id = $1 and path = any($2)',
    [account, chain],
  );
  return { account, peer, scopeIds: found.rows.map(({ id }) => id) };
}

/** The one collection of the service. */
async function collectionOf(client: ReturnType<typeof createQdrantClient>): Promise<string> {
  const { collections } = await client.getCollections();
  const [only, ...others] = collections.filter(({ name }) => !name.includes('message'));
  if (only === undefined || others.length > 0) throw new Error('not one collection of statements');
  return only.name;
}

/** The vector by which a search looks for meaning; null where it looks for none. */
function vectorOf(meaning: string, embedder: Embedder): readonly number[] | null {
  const vector = embedder === 'none' ? [] : embedDeterministic(meaning);
  return hasDirection(vector) ? vector : null;
}

/** Opens connections of its own, which are kept. */
export async function openRaw(stack: LoadedStack, embedder: Embedder): Promise<RawSearch> {
  const client = createQdrantClient({ ...stack.qdrant, timeoutMs: TIMEOUT_MS });
  const points = new PointReader(client, await collectionOf(client));
  const pool = await openPool(stack.databaseUrlOf('vouch_app'), { maxPoolSize: 1 });
  const inAccount = createInAccount(pool);
  return {
    async prepare({ query, scopePath }, { limit, profile }) {
      const { account: accountId, peer: peerId, scopeIds } = await placeOf(stack, scopePath);
      const reader = { posture: 'peer', peerId } as const;
      const plan = planQuery(query, query);
      const frequencies = await inAccount(accountId, (stores) =>
        stores.frequencies.of(scopeIds, 'statement', termIdsOf(plan, accountId)),
      );
      const { asked } = weighWords(plan, accountId, frequencies);
      const sourceFilters = { ...NO_SOURCE_FILTERS, sourceStatementIds: [] };
      const search = {
        accountId,
        visible: visibleByDefault({ scopeIds, reader, at: new Date().toISOString() }),
        asOf: null,
        queryOperators: null,
        sourceFilters,
      };
      const chunks = chunkSearchFor({
        accountId,
        scopeIds,
        reader,
        sourceFilters,
        sessionId: null,
        asOf: null,
      });
      const wanted = candidateSearch(search, chunks, poolSize(limit));
      const vector = vectorOf(plan.meaning, embedder);
      const readers = messageReaders(reader, scopeIds);
      const requests = [
        ...(vector === null ? [] : [() => points.candidatesByMeaning(vector, wanted)]),
        ...(RETRIEVAL_PROFILES[profile].strategies.has('lexical')
          ? [() => points.candidatesByWords(asked, wanted, readers)]
          : []),
      ];
      return requests.length === 0 ? null : () => Promise.all(requests.map((send) => send()));
    },
    async close() {
      await pool.end();
    },
  };
}
