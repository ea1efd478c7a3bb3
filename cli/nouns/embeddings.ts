import type { Command } from 'commander';
import {
  listSpaces,
  migrateEmbeddings,
  retireSpaces,
} from '../../operations/retrieval/embeddings-admin.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pairs, table } from '../text.ts';

const INDEXES = ['meilisearch', 'qdrant'] as const;

/** `vouch embeddings list|migrate|retire`. `migrate` has exit code 1 when it ended early; a second run goes on. */
export function addEmbeddings(noun: Command, dependencies: CliDependencies): void {
  const common = { servers: INDEXES, perAccount: false, input: () => ({}) } as const;
  addCommand(noun, dependencies, {
    ...common,
    name: 'list',
    summary: 'show the collections of vectors that are kept up to date',
    operation: listSpaces,
    text: ({ collections }) =>
      table(
        ['collection', 'dimensions', 'state', 'configured', 'points'],
        collections.map((row) => [
          row.collection,
          row.dimensions,
          row.state,
          row.configured ? 'yes' : 'no',
          row.points,
        ]),
      ),
  });
  addCommand(noun, dependencies, {
    ...common,
    name: 'migrate',
    summary:
      'build the vectors of the configured embedder beside the earlier ones, then switch to them; a second run continues the first one',
    operation: migrateEmbeddings,
    text: ({ accounts_done: _done, stopped, switched, ...counts }) =>
      pairs({ switched: switched ? 'yes' : 'no', stopped: stopped ?? 'no', ...counts }),
    complaint: ({ stopped, switched }) => {
      if (stopped === null) return null;
      const left = switched
        ? 'Some units still wait for their vectors'
        : 'Searches still use the earlier vectors';
      return `${left} (${stopped}). Repair the cause and run vouch embeddings migrate again.`;
    },
  });
  addCommand(noun, dependencies, {
    ...common,
    name: 'retire',
    summary: 'remove the collections of all embedders but the configured one',
    operation: retireSpaces,
    text: ({ removed }) =>
      table(
        ['removed'],
        removed.map((name) => [name]),
      ),
  });
}
