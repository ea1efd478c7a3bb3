import type { Command } from 'commander';
import { createUser, listUsers } from '../../operations/identity/users.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { roleOption } from '../role-option.ts';
import { readPassword, withPassword } from '../secret-input.ts';
import { pairs, table } from '../text.ts';

/** `vouch user create|list`. */
export function addUser(program: Command, dependencies: CliDependencies): void {
  const noun = program.command('user').description('the people who can sign in');
  addCommand(noun, dependencies, {
    name: 'create',
    summary: 'create a login for a person, with a role at a scope and below',
    operation: createUser,
    options: (command) => {
      command
        .requiredOption('--email <address>', 'the e-mail address of the person, for sign-in')
        .requiredOption('--name <name>', 'the display name of the person')
        .requiredOption('--scope <path>', 'the scope where the role applies')
        .option('--peer <key>', 'attach the login to this existing peer')
        .addOption(roleOption());
      withPassword(command);
    },
    input: async (options) => ({
      email: options['email'],
      name: options['name'],
      role: options['role'],
      scope: options['scope'],
      peer: options['peer'],
      password: await readPassword(options, dependencies),
    }),
    text: (output) => pairs({ peer: output.peer_key, role: output.role, scope: output.scope_path }),
  });
  addCommand(noun, dependencies, {
    name: 'list',
    summary: 'list all logins',
    operation: listUsers,
    input: () => ({}),
    text: ({ users }) =>
      table(
        ['email', 'name', 'peer', 'created', 'closed'],
        users.map((row) => [row.email, row.name, row.peer_key, row.created_at, row.closed_at]),
      ),
  });
}
