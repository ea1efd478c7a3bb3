/** `embeddings.list`, `embeddings.migrate` and `embeddings.retire`: the collections of vectors, from the command line. */
import { z } from 'zod';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { INDEX_FAILURE_CLASSES } from '../../domain/retrieval/source-status.ts';
import { VECTOR_SPACE_STATES } from '../../domain/models/vector-spaces.ts';
import type { MigrationProgress } from '../../engine/indexes/spaces/migrate.ts';
import { defineOperation } from '../operation.ts';

const nothing = z.object({});
const count = z.int().min(0);

/** The collections that are kept as Postgres says. */
export const listSpaces = defineOperation({
  id: 'embeddings.list',
  access: 'operator',
  effect: 'read',
  input: nothing,
  output: z.object({
    collections: z.array(
      z.object({
        collection: z.string(),
        /** Null when it has no vectors of meaning. */
        dimensions: count.nullable(),
        state: z.enum(VECTOR_SPACE_STATES),
        /** It is the one of the configured embedder. */
        configured: z.boolean(),
        /** Null when Qdrant lacks it. */
        points: count.nullable(),
      }),
    ),
  }),
  run: async ({ vectorSpaces }) => ({ collections: [...(await vectorSpaces.list())] }),
});

/** A line is told no more often. */
const MS_BETWEEN_LINES = 1_000;

/** One line for people, without names of accounts. */
function lineOf({
  accounts,
  accountsDone,
  kept,
  refused,
  total,
  written,
}: MigrationProgress): string {
  const done = kept + written + refused;
  const share = total === 0 ? 100 : Math.min(100, Math.floor((done * 100) / total));
  return `${share} %: ${done} of ${total} units (${written} written, ${kept} there before, ${refused} refused), ${accountsDone} of ${accounts} accounts done`;
}

/** Fills the collection of the configured embedder beside the others, and switches to it. */
export const migrateEmbeddings = defineOperation({
  id: 'embeddings.migrate',
  access: 'operator',
  effect: 'write',
  input: nothing,
  output: z.object({
    /** From now on processes of the configured embedder search it. False: another run goes on. */
    switched: z.boolean(),
    /** Why the run ended early; null when it did not. */
    stopped: z.enum([...ERROR_CLASSES, ...INDEX_FAILURE_CLASSES]).nullable(),
    accounts: count,
    accounts_done: count,
    /** Units of all accounts when the run began. */
    units: count,
    written: count,
    /** Units that the collection showed already. */
    kept: count,
    /** Units that could not be read for the index, or that Qdrant refused. */
    refused: count,
  }),
  async run({ vectorSpaces, progress, signal }) {
    let toldAt = Number.NEGATIVE_INFINITY;
    const onProgress = (latest: MigrationProgress): void => {
      const now = performance.now();
      if (now - toldAt < MS_BETWEEN_LINES) return;
      toldAt = now;
      progress?.(lineOf(latest));
    };
    const done = await vectorSpaces.migrate({ signal, onProgress });
    progress?.(lineOf(done));
    const { accountsDone, total, ...rest } = done;
    return { ...rest, accounts_done: accountsDone, units: total };
  },
});

/** Removes every collection but that of the configured embedder. */
export const retireSpaces = defineOperation({
  id: 'embeddings.retire',
  access: 'operator',
  effect: 'destroy',
  input: nothing,
  output: z.object({ removed: z.array(z.string()) }),
  run: async ({ vectorSpaces }) => ({ removed: [...(await vectorSpaces.retire())] }),
});
