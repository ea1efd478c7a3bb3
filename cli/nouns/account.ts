import type { Command } from 'commander';
import { createAccount, listAccounts } from '../../operations/identity/accounts.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { addArchive } from '../account-archive.ts';
import { readPassword, withPassword } from '../secret-input.ts';
import { pairs, table } from '../text.ts';

/** `vouch account create|list|export|import`. */
export function addAccount(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'create',
    summary: 'create another account with its root scope and its administrator',
    operation: createAccount,
    perAccount: false,
    options: (command) => {
      command
        .requiredOption('--key <key>', 'the key by which other commands name the account')
        .requiredOption('--email <address>', 'the e-mail address of its administrator, for sign-in')
        .requiredOption('--name <name>', 'the display name of its administrator');
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
    summary: 'list all accounts',
    operation: listAccounts,
    perAccount: false,
    input: () => ({}),
    text: ({ accounts }) =>
      table(
        ['key', 'preset', 'created', 'id'],
        accounts.map((row) => [row.key, row.gate_preset, row.created_at, row.id]),
      ),
  });
  addArchive(noun, dependencies);
}
