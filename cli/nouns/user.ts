import type { Command } from 'commander';
import {
  changePassword,
  disableUser,
  enableUser,
  removeUser,
} from '../../operations/identity/user-access.ts';
import { createUser, listUsers } from '../../operations/identity/users.ts';
import { addCommand, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pageOf, withNext, withPages } from '../page-options.ts';
import { roleOption } from '../role-option.ts';
import { readPassword, withPassword } from '../secret-input.ts';
import { pairs, table } from '../text.ts';

const withEmail = (command: Command): Command =>
  command.requiredOption('--email <address>', 'the e-mail address that the person signs in with');

const emailOf = (options: Options) => ({ email: options['email'] });

function addPassword(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'password',
    summary: 'set another password for a login; its sessions and tokens end',
    operation: changePassword,
    options: (command) => {
      withPassword(withEmail(command));
    },
    input: async (options) => ({
      email: options['email'],
      password: await readPassword(options, dependencies),
    }),
    text: ({ closed_at: closedAt }) =>
      closedAt === null
        ? 'The password is changed. All tokens and browser sessions of the login have ended.'
        : 'The password is changed. The login is still disabled.',
  });
}

/** The commands that lock a person out, and the one that lets a person in again. */
function addEnds(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'disable',
    summary: 'disable a login, with its tokens, its browser sessions and the API keys of its peer',
    operation: disableUser,
    options: (command) => void withEmail(command),
    input: emailOf,
    text: ({ changed }) =>
      changed
        ? 'Disabled. Every process refuses the person within 5 seconds.'
        : 'Nothing to do: the login is already disabled.',
  });
  addCommand(noun, dependencies, {
    name: 'enable',
    summary: 'enable a disabled login; the person has to sign in again',
    operation: enableUser,
    options: (command) => void withEmail(command),
    input: emailOf,
    text: ({ changed }) => (changed ? 'Enabled.' : 'Nothing to do: the login is not disabled.'),
  });
  addCommand(noun, dependencies, {
    name: 'remove',
    summary:
      'remove a login permanently, with the API keys and the grants of its peer; the peer stays',
    operation: removeUser,
    options: (command) => void withEmail(command),
    input: emailOf,
    text: (output) =>
      `Removed, with ${output.keys_revoked} API keys and ${output.grants_removed} grants. The statements about the person stay. To erase them, run vouch peer erase.`,
  });
}

/** `vouch user create|list|password|disable|enable|remove`. */
export function addUser(noun: Command, dependencies: CliDependencies): void {
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
    summary: 'list the logins',
    operation: listUsers,
    options: withPages,
    input: pageOf,
    text: ({ next, users }) =>
      withNext(
        table(
          ['email', 'name', 'peer', 'created', 'disabled'],
          users.map((row) => [row.email, row.name, row.peer_key, row.created_at, row.closed_at]),
        ),
        next,
      ),
  });
  addPassword(noun, dependencies);
  addEnds(noun, dependencies);
}
