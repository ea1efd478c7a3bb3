import type { Command } from 'commander';
import { runRetention } from '../../operations/retention/run.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pairs } from '../text.ts';

/** `vouch retention run`. Exit code 1 when an account was not gone over to the end; a second run goes on. */
export function addRetention(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'run',
    summary:
      'delete now what is kept for a time only and is past it, in all accounts, as the service does every day',
    operation: runRetention,
    perAccount: false,
    input: () => ({}),
    text: ({ accounts, pruned }) => pairs({ accounts, ...pruned }),
    complaint: ({ completed, failed }) => {
      if (!completed) return 'Interrupted before every account was reached. Run it again.';
      if (failed === 0) return null;
      return `Rows of ${failed} accounts are left: a page failed. Run it again; the log names what failed.`;
    },
  });
}
