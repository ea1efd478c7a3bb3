/** The real indexes of a test, filled as the service fills them, and what their filters should let through. */
import type { DatabasePool } from 'slonik';
import type { Condition } from '../../../domain/governance/visibility.ts';
import { NO_SOURCE_FILTERS } from '../../../domain/retrieval/source-filters.ts';
import { ANALYZER } from '../../../engine/indexes/units.ts';
import { buildRetrieval } from '../../../runtime/container/retrieval.ts';
import { createMeilisearchClient } from '../../../stores/meilisearch/client.ts';
import { statementFilter as recordFilter } from '../../../stores/meilisearch/filter.ts';
import { indexNames } from '../../../stores/meilisearch/indexes.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import { createQdrantClient } from '../../../stores/qdrant/client.ts';
import { asFilter, statementFilter } from '../../../stores/qdrant/filter.ts';
import { testServers } from '../../support/environment.ts';
import { dropIndexes } from '../../support/indexes.ts';
import { HANGS_MS } from '../../support/patience.ts';
import { NO_ROLES } from '../../unit/models/fixtures.ts';
import { SHARDS } from '../extraction/scene.ts';
import type { Scene } from '../observations/scene.ts';

const MOST = 1000;

/** What a statement is, and ever was, read from Postgres. */
export interface Facts {
  readonly id: string;
  readonly isWithdrawn: boolean;
  readonly subject_peer_id: string | null;
  readonly submitters: readonly string[];
  readonly audience: readonly string[] | null;
  readonly expires_at: Date | null;
  readonly believed_from: Date;
  readonly now: Values;
  readonly ever: Values;
}

type Governed = 'scope_id' | 'state' | 'sensitivity' | 'target_level';
type Values = Readonly<Record<Governed, readonly string[]>>;

interface Asked {
  readonly visible: Condition;
  readonly asOf: string | null;
}

export interface Indexes {
  /** Works through all marks of the account. */
  refresh(accountId: string): Promise<void>;
  /** Indexes that hold something else than Postgres says. */
  drift(accountId: string): Promise<readonly unknown[]>;
  factsOf(scene: Scene, accountId: string): Promise<readonly Facts[]>;
  /** Ids of the statements that each engine lets through, in order. */
  find(
    accountId: string,
    asked: Asked,
  ): Promise<Readonly<Record<'qdrant' | 'meilisearch', readonly string[]>>>;
  close(): Promise<void>;
}

const FACTS = `
  select k.id, k.subject_peer_id, k.expires_at, k.state in ('redacted', 'retracted') as "isWithdrawn",
    array(select s.peer_id::text from knowledge_submitters s where s.knowledge_id = k.id) as submitters,
    case when k.audience_id is not null then array(select a.principal from audience_members a
      where a.audience_id = k.audience_id) end as audience,
    (select min(b.believed_from) from belief_periods b where b.knowledge_id = k.id) as believed_from,
    jsonb_build_object('scope_id', array[k.scope_id], 'state', array[k.state], 'sensitivity', array[k.sensitivity],
      'target_level', array[k.target_level]) as now,
    (select jsonb_build_object('scope_id', array_agg(b.scope_id), 'state', array_agg(b.state),
        'sensitivity', array_agg(b.sensitivity), 'target_level', array_agg(b.target_level))
      from belief_periods b where b.knowledge_id = k.id) as ever
  from knowledge k where k.account_id = $1`;

/** Whether the condition holds when each governed field may have any of the values. */
function holds(condition: Condition, facts: Facts, values: Values): boolean {
  if ('all' in condition) return condition.all.every((part) => holds(part, facts, values));
  if ('any' in condition) return condition.any.some((part) => holds(part, facts, values));
  switch (condition.field) {
    case 'scope_id':
    case 'state':
    case 'sensitivity':
    case 'target_level': {
      const wanted: readonly string[] = condition.in;
      return values[condition.field].some((value) => wanted.includes(value));
    }
    case 'ever_state': {
      const wanted: readonly string[] = condition.in;
      return facts.ever.state.some((value) => wanted.includes(value));
    }
    case 'subject_peer_id':
      return facts.subject_peer_id === ('is' in condition ? condition.is : null);
    case 'submitting_peer_ids':
      return facts.submitters.includes(condition.contains);
    case 'audience': {
      if (facts.audience === null) return true;
      const { admits } = condition;
      const principals = admits === null ? [] : [admits.peerId, ...admits.memberships];
      return facts.audience.some((named) => principals.includes(named));
    }
    // What is not served is in no index.
    case 'is_served':
      return true;
    case 'expires_at':
      return facts.expires_at === null || facts.expires_at > new Date(condition.nullOrAfter);
  }
}

/** The hull: for today the predicate itself; for a past instant, any value that the statement ever had will do. */
export function mayPass({ asOf, visible }: Asked, facts: Facts): boolean {
  if (asOf === null) return holds(visible, facts, facts.now);
  return facts.believed_from <= new Date(asOf) && holds(visible, facts, facts.ever);
}

const sourceIds = (rows: readonly { readonly source_id?: unknown }[]) =>
  rows.map((row) => String(row.source_id)).toSorted();

export async function openIndexes(pool: DatabasePool, indexPrefix: string): Promise<Indexes> {
  const servers = testServers();
  const retrieval = buildRetrieval({
    inAccount: createRefusingInAccount(pool),
    qdrant: servers.qdrant,
    meilisearch: servers.meilisearch,
    models: NO_ROLES,
    gateway: { embed: () => Promise.reject(new Error('no embedder')) },
    paraphraseCosine: null,
    log: { info: () => {}, warn: () => {}, error: () => {} },
    indexPrefix,
    patienceMs: HANGS_MS,
  });
  await retrieval.ensureIndexes();
  const { signal } = new AbortController();
  const { collection } = retrieval.servers.qdrant;
  const qdrant = createQdrantClient({ ...servers.qdrant, timeoutMs: HANGS_MS });
  const names = indexNames({ prefix: indexPrefix, analyzerVersion: ANALYZER });
  const records = createMeilisearchClient({ ...servers.meilisearch, timeoutMs: HANGS_MS }).index(
    names.statement,
  );
  return {
    async refresh(accountId) {
      // What one shard writes may mark neighbours of another one, which mark nothing themselves.
      for (const shard of [...SHARDS, ...SHARDS]) {
        for (let due: number | null = 0; due !== null;) {
          const report = await retrieval.indexer.refresh({ accountId, shard, limit: 200, signal });
          due = report.nextDueInMs;
        }
      }
    },
    async drift(accountId) {
      const { indexes } = await retrieval.indexes.verify(accountId, signal);
      return indexes.filter(
        ({ missing, orphans, pending, stale }) => missing + orphans + pending + stale > 0,
      );
    },
    async factsOf(scene, accountId) {
      return (await scene.rows(FACTS, [accountId])) as unknown as readonly Facts[];
    },
    async find(accountId, { asOf, visible }) {
      const search = { accountId, visible, asOf };
      const { points } = await qdrant.scroll(collection, {
        filter: asFilter(
          statementFilter({ ...search, queryOperators: null, sourceFilters: NO_SOURCE_FILTERS }),
        ),
        limit: MOST,
        with_payload: ['source_id'],
      });
      const { results } = await records.getDocuments({
        filter: recordFilter(search),
        fields: ['source_id'],
        limit: MOST,
      });
      return {
        qdrant: sourceIds(points.map(({ payload }) => payload ?? {})),
        meilisearch: sourceIds(results),
      };
    },
    async close() {
      await dropIndexes(indexPrefix);
    },
  };
}
