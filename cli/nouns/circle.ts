import type { Command } from 'commander';
import {
  addToCircle,
  createCircle,
  deleteCircleAsOperator,
  listAllCircles,
  removeFromCircle,
  showCircle,
} from '../../operations/circles/operator-circles.ts';
import { addCommand, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pageOf, withNext, withPages } from '../page-options.ts';
import { table } from '../text.ts';

function withCircle(command: Command): Command {
  return command
    .requiredOption('--scope <path>', 'the scope of the circle')
    .requiredOption('--name <name>', 'the name of the circle');
}

const circleOf = ({ name, scope }: Options) => ({ scope, name });

interface Changed {
  readonly changed: boolean;
  readonly members: readonly unknown[];
}

function changeText({ changed, members }: Changed): string {
  const count = members.length === 1 ? '1 member' : `${members.length} members`;
  return changed ? `The circle has ${count}.` : `Nothing to do: the circle has ${count}.`;
}

function addChanges(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'create',
    summary: 'create a circle with these members',
    operation: createCircle,
    options: (command) => {
      withCircle(command).option('--peer <keys...>', 'the keys of its members; absent: none');
    },
    input: (options) => ({ ...circleOf(options), peers: options['peer'] }),
    text: changeText,
  });
  addCommand(noun, dependencies, {
    name: 'add',
    summary:
      'add peers, who read everything addressed to the circle from now on, earlier things too',
    operation: addToCircle,
    options: (command) => {
      withCircle(command).requiredOption('--peer <keys...>', 'the keys of the peers');
    },
    input: (options) => ({ ...circleOf(options), peers: options['peer'] }),
    text: changeText,
  });
  addCommand(noun, dependencies, {
    name: 'remove',
    summary: 'remove peers, who read nothing more through the circle',
    operation: removeFromCircle,
    options: (command) => {
      withCircle(command).requiredOption('--peer <keys...>', 'the keys of the members');
    },
    input: (options) => ({ ...circleOf(options), peers: options['peer'] }),
    text: changeText,
  });
}

function addReads(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'list',
    summary: 'list the circles, the oldest first',
    operation: listAllCircles,
    options: (command) => {
      withPages(command).option('--scope <path>', 'only circles of this scope');
    },
    input: (options) => ({ ...pageOf(options), scope: options['scope'] }),
    text: ({ circles, next }) =>
      withNext(
        table(
          ['id', 'scope', 'name', 'members', 'created'],
          circles.map((row) => [
            row.id,
            row.scope_path,
            row.name,
            row.member_count,
            row.created_at,
          ]),
        ),
        next,
      ),
  });
  addCommand(noun, dependencies, {
    name: 'show',
    summary: 'list the members of a circle, and who added each',
    operation: showCircle,
    options: withCircle,
    input: circleOf,
    text: ({ members }) =>
      table(
        ['peer', 'added by', 'added'],
        members.map((row) => [
          row.peer_key,
          row.added_themself ? 'themself' : row.added_by_peer_key,
          row.added_at,
        ]),
      ),
  });
}

/** `vouch circle create|add|remove|list|show|delete`. */
export function addCircle(noun: Command, dependencies: CliDependencies): void {
  addChanges(noun, dependencies);
  addReads(noun, dependencies);
  addCommand(noun, dependencies, {
    name: 'delete',
    summary:
      'delete a circle: what was addressed to it alone is read by none of its members any more',
    operation: deleteCircleAsOperator,
    options: withCircle,
    input: circleOf,
    text: () => 'Deleted.',
  });
}
