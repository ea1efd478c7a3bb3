import type { Command } from 'commander';
import { createAccount, listAccounts } from '../../operations/identity/accounts.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { readPassword, withPassword } from '../secret-input.ts';
import { pairs, table } from '../text.ts';

/** `vouch account create|list`. */
export function addAccount(program: Command, dependencies: CliDependencies): void {
  const noun = program.command('account').description('accounts of this deployment');
  addCommand(noun, dependencies, {
    name: 'create',
    summary: 'a further account with its root scope and administrator',
    operation: createAccount,
    perAccount: false,
    options: (command) => {
      command
        .requiredOption('--key <key>', 'how other commands name the account')
        .requiredOption('--email <address>', 'what its administrator signs in with')
        .requiredOption('--name <name>', 'what its administrator is called');
      withPassword(command);
    },
    input: async (options) => ({
      key: options['key'],
      email: options['email'],
      name: options['name'],
      password: await readPassword(options, dependencies),
    }),
    text: (output) => pairs({ account: output.key, id: output.id, preset: output.gate_preset }),
  });
  addCommand(noun, dependencies, {
    name: 'list',
    summary: 'all accounts',
    operation: listAccounts,
    perAccount: false,
    input: () => ({}),
    text: ({ accounts }) =>
      table(
        ['key', 'preset', 'created', 'id'],
        accounts.map((row) => [row.key, row.gate_preset, row.created_at, row.id]),
      ),
  });
}
