import type { Command } from 'commander';
import { rebuildIndex, verifyIndex } from '../../operations/retrieval/index-admin.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pairs, table } from '../text.ts';

const INDEXES = ['meilisearch', 'qdrant'] as const;

/** `vouch index rebuild|verify`. `verify` has exit code 1 when an index and Postgres differ. */
export function addIndex(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'rebuild',
    summary: 'write all units to both indexes again from Postgres',
    operation: rebuildIndex,
    servers: INDEXES,
    options: (command) => {
      command.option('--scope <path>', 'rebuild only this scope and its descendants');
    },
    input: (options) => ({ scope: options['scope'] }),
    text: ({ units, written, deleted, orphans_removed: orphans, failed }) =>
      pairs({ units, written, deleted, 'orphans removed': orphans, failed }),
    complaint: ({ failed }) =>
      failed === 0
        ? null
        : `${failed} marks are left: an index or the embedder failed or refused units. Workers try them again.`,
  });
  addCommand(noun, dependencies, {
    name: 'verify',
    summary:
      'count the units that are missing, stale or superfluous in the indexes; exit code 1 if there are any',
    operation: verifyIndex,
    servers: INDEXES,
    input: () => ({}),
    text: ({ indexes, context_cards: contextCards, without_vector: withoutVector }) =>
      [
        table(
          ['index', 'unit', 'expected', 'present', 'missing', 'stale', 'orphans', 'pending'],
          indexes.map((row) => [
            row.engine,
            row.unit,
            row.expected,
            row.present,
            row.missing,
            row.stale,
            row.orphans,
            row.pending,
          ]),
        ),
        `without a vector: ${withoutVector}`,
        table(
          ['of context', 'present', 'stale', 'orphans', 'pending'],
          [
            [
              'context cards',
              contextCards.present,
              contextCards.stale,
              contextCards.orphans,
              contextCards.pending,
            ],
          ],
        ),
      ].join('\n'),
    complaint: ({ consistent }) =>
      consistent
        ? null
        : 'The indexes and Postgres differ. Run vouch index rebuild to repair the indexes.',
  });
}
