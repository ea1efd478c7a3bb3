import type { Command } from 'commander';
import { checkModels } from '../../operations/models/check.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { table } from '../text.ts';

/** `vouch model check`. Exit code 1 when a configured role does not answer. */
export function addModel(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'check',
    summary: 'call the model of each role once; exit code 1 if a model does not answer',
    operation: checkModels,
    input: () => ({}),
    text: ({ roles }) =>
      table(
        ['role', 'provider', 'model', 'version', 'status', 'error class', 'ms'],
        roles.map((row) => [
          row.role,
          row.provider,
          row.model,
          row.version,
          row.status.replace('_', ' '),
          row.error_class,
          row.duration_ms,
        ]),
      ),
    complaint: ({ roles }) => {
      const failed = roles.filter(({ status }) => status === 'failed').map(({ role }) => role);
      return failed.length === 0 ? null : `No usable answer: ${failed.join(', ')}.`;
    },
  });
}
