import { Option, type Command } from 'commander';
import {
  addGrant as addGrantOperation,
  changeGrant,
  listGrants,
  removeGrant,
} from '../../operations/identity/grants.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pageOf, withNext, withPages } from '../page-options.ts';
import { roleOption } from '../role-option.ts';
import { pairs, table } from '../text.ts';

function addList(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'list',
    summary: 'list the grants',
    operation: listGrants,
    options: (command) => {
      withPages(command).option('--peer <key>', 'list the grants of this peer only');
    },
    input: (options) => ({ ...pageOf(options), peer: options['peer'] }),
    text: ({ grants, next }) =>
      withNext(
        table(
          ['id', 'holder', 'scope', 'role', 'effect', 'propagates'],
          grants.map((row) => [
            row.id,
            row.peer_key ?? `key ${row.credential_id ?? ''}`,
            row.scope_path,
            row.role,
            row.effect,
            row.propagate,
          ]),
        ),
        next,
      ),
  });
}

/** `vouch grant add|change|remove|list`. */
export function addGrant(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'add',
    summary: 'allow or deny a role at a scope for an existing peer; a deny overrides every allow',
    operation: addGrantOperation,
    options: (command) => {
      command
        .requiredOption('--peer <key>', 'the peer that holds the role')
        .requiredOption('--scope <path>', 'the scope where the role applies')
        .addOption(roleOption())
        .addOption(
          new Option('--effect <effect>', 'allow the role or deny it')
            .choices(['allow', 'deny'])
            .default('allow'),
        )
        .option('--no-propagate', 'do not apply the grant to the descendants of the scope');
    },
    input: (options) => ({
      peer: options['peer'],
      scope: options['scope'],
      role: options['role'],
      effect: options['effect'],
      propagate: options['propagate'],
    }),
    text: (output) =>
      output.changed ? pairs({ grant: output.id }) : 'Nothing to do: this grant already exists.',
  });
  addCommand(noun, dependencies, {
    name: 'change',
    summary: 'change the role of a grant; its holder, scope and effect stay',
    operation: changeGrant,
    options: (command) => {
      command.requiredOption('--id <id>', 'the id of the grant').addOption(roleOption());
    },
    input: (options) => ({ id: options['id'], role: options['role'] }),
    text: ({ changed, role }) =>
      changed ? `The role is now ${role}.` : `Nothing to do: the role is already ${role}.`,
  });
  addCommand(noun, dependencies, {
    name: 'remove',
    summary: 'remove a grant',
    operation: removeGrant,
    options: (command) => {
      command.requiredOption('--id <id>', 'the id of the grant');
    },
    input: (options) => ({ id: options['id'] }),
    text: () => 'Removed.',
  });
  addList(noun, dependencies);
}
