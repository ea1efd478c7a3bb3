/** The extraction pipeline of a worker, on the container's pool, gateway and indexer. */
import { v7 as uuid } from 'uuid';
import { createExtractionPipeline, type BatchProcessor } from '../../engine/extraction/pipeline.ts';
import { AnchorsStore } from '../../stores/postgres/observations/anchors.store.ts';
import { isDatabaseGone } from '../../stores/postgres/errors.ts';
import { KnowledgeCommitStore } from '../../stores/postgres/knowledge/commit.store.ts';
import { isRemote } from '../../domain/models/role-config.ts';
import type { Log } from '../../engine/logging/logger.ts';
import { holdKeysBy } from './forgetting.ts';
import { needed } from './needed.ts';
import { batchingOf } from './batching.ts';
import type { Container } from './index.ts';

export function buildExtractionPipeline(
  container: Pick<
    Container,
    'config' | 'db' | 'gateway' | 'indexer' | 'actors' | 'paraphrases' | 'demand'
  >,
  log: Log,
): BatchProcessor {
  const { config, db, gateway, indexer, actors, paraphrases, demand } = container;
  return createExtractionPipeline({
    anchors: new AnchorsStore(db),
    store: new KnowledgeCommitStore(db),
    gateway,
    indexer,
    batching: batchingOf(config),
    extractsInProcess: !isRemote(config.models.ingest_extractor),
    paraphrases,
    demand,
    newId: uuid,
    holdKeysOf: holdKeysBy(needed(config.settings.SERVICE_SECRET_KEY, 'SERVICE_SECRET_KEY')),
    ring: (mailbox) => actors.doorbell.ring(mailbox),
    startRuns: () => actors.sweep.soon(),
    isDatabaseGone,
    report: (event, fields) => log.warn(event, fields),
  });
}
