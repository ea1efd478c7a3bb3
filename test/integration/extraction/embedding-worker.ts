/** A pipeline with indexes, whose embedder knows three verbs that say the same. */
import { NOTHING_USED } from '../../../domain/models/usage.ts';
import type { DatabasePool } from 'slonik';
import type { ExtractionRequest, Candidate } from '../../../domain/statements/candidate.ts';
import type { BatchProcessor } from '../../../engine/extraction/pipeline.ts';
import { embedDeterministic } from '../../../engine/text/embedding/deterministic.ts';
import type { RetrievalDependencies } from '../../../runtime/container/retrieval-dependencies.ts';
import { createRefusingInAccount } from '../../../stores/postgres/in-account.ts';
import type { Scene } from '../observations/scene.ts';
import type { SearchScene } from '../search/scene.ts';
import { literalExtractor, pipeline, type PipelineOptions } from './scene.ts';

/** Texts that were embedded, and events that were logged. */
export interface Seen {
  readonly embedded: string[];
  readonly events: string[];
}

export interface EmbeddingWorker extends Seen {
  readonly processor: BatchProcessor;
}

/**
 * The pipeline of a process of its own on `pool`: it remembers no vectors of others. `between` puts a test between the
 * pipeline and what it works with.
 */
export function embeddingWorker(
  scene: Pick<Scene, 'rung'>,
  indexes: SearchScene,
  pool: DatabasePool,
  replaced: Partial<RetrievalDependencies> = {},
  extract: (request: ExtractionRequest) => readonly Candidate[] = literalExtractor,
  between: NonNullable<PipelineOptions['around']> = (parts) => parts,
): EmbeddingWorker {
  const [embedded, events]: [string[], string[]] = [[], []];
  const { indexer, paraphrases } = indexes.rebuilt({
    inAccount: createRefusingInAccount(pool),
    gateway: {
      embed: async (texts) => {
        embedded.push(...texts);
        return {
          vectors: texts.map((text) =>
            embedDeterministic(text.replaceAll(/enjoys|adores/gu, 'likes')),
          ),
          space: { provider: 'deterministic', model: 'built-in', version: '1', dimensions: 384 },
          usage: NOTHING_USED,
        };
      },
    },
    log: {
      info: () => {},
      warn: (event, fields) => void events.push(`${event} ${String(fields?.['reason'])}`),
      error: () => {},
    },
    ...replaced,
  });
  const processor = pipeline(
    { pool, rung: scene.rung },
    { extract, around: (parts) => between({ ...parts, indexer, paraphrases }) },
  );
  return { embedded, events, processor };
}
