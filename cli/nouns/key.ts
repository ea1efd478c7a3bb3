import { InvalidArgumentError, Option, type Command } from 'commander';
import { createKey, listKeys, revokeKey } from '../../operations/identity/keys.ts';
import { resumeKeys } from '../../operations/identity/resume-keys.ts';
import { rotateKey } from '../../operations/identity/rotate-key.ts';
import { parseDurationSeconds } from '../../domain/duration.ts';
import { addCommand, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { UsageError } from '../errors.ts';
import { pageOf, withNext, withPages } from '../page-options.ts';
import { roleOption } from '../role-option.ts';
import { pairs, table } from '../text.ts';

function parseDuration(text: string): number {
  const seconds = parseDurationSeconds(text);
  if (seconds === null) throw new InvalidArgumentError('Give a duration such as 90d, 12h or 30m.');
  return seconds;
}

/** `--peer`, or `--no-peer` (which commander reports as false) for null. */
function peerOf(options: Options): unknown {
  if (options['peer'] === false) return null;
  if (typeof options['peer'] !== 'string') {
    throw new UsageError(
      'Name the peer that speaks with the key: --peer <key>, or --no-peer for a key without a peer.',
    );
  }
  return options['peer'];
}

function addCreate(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'create',
    summary:
      'create an API key and show it once; create its peer (an agent) and its grant if they do not exist',
    operation: createKey,
    options: (command) => {
      command
        .option('--peer <key>', 'the peer that speaks with the key')
        .option('--no-peer', 'create a machine credential without a peer')
        .requiredOption('--scope <path>', 'the scope where the role applies')
        .addOption(roleOption())
        .option('--pin <path>', 'limit the key to this scope and its descendants')
        .addOption(
          new Option(
            '--expires-in <duration>',
            'how long the key is valid, such as 90d, 12h or 30m',
          ).argParser(parseDuration),
        );
    },
    input: (options) => ({
      peer: peerOf(options),
      scope: options['scope'],
      role: options['role'],
      pin: options['pin'],
      expires_in_seconds: options['expiresIn'],
    }),
    text: (output) =>
      `${pairs({
        key: output.api_key,
        id: output.id,
        peer: output.peer_key,
        role: output.role,
        scope: output.scope_path,
        pin: output.pin_path,
        expires: output.expires_at,
      })}\nVouch shows the key only once.`,
  });
}

function addRotate(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'rotate',
    summary:
      'replace a key: create a new one with the same peer, grants and pin, and end the old one',
    operation: rotateKey,
    options: (command) => {
      command
        .requiredOption('--id <id>', 'the id of the key to replace')
        .addOption(
          new Option(
            '--grace <duration>',
            'how long the old key still works, at most 7d; without it, the old key is revoked at once',
          ).argParser(parseDuration),
        )
        .addOption(
          new Option(
            '--expires-in <duration>',
            'how long the new key is valid; without it, as long as the old one',
          ).argParser(parseDuration),
        );
    },
    input: (options) => ({
      id: options['id'],
      grace_seconds: options['grace'],
      expires_in_seconds: options['expiresIn'],
    }),
    text: (output) =>
      `${pairs({
        key: output.api_key,
        id: output.id,
        pin: output.pin_path,
        expires: output.expires_at,
        'old key ends': output.replaced_until,
      })}\nVouch shows the key only once.`,
  });
}

/** `--id` or `--all`, and never both: which keys are meant. */
function resumedOf(options: Options): { readonly id?: unknown } {
  const isAll = options['all'] === true;
  if (isAll === (options['id'] !== undefined)) {
    throw new UsageError('Name the key: --id <id>, or --all for every suspended key.');
  }
  return isAll ? {} : { id: options['id'] };
}

function addResume(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'resume',
    summary: 'let a key be used again that a restore has suspended',
    operation: resumeKeys,
    options: (command) => {
      command
        .option('--id <id>', 'the id of the key')
        .option('--all', 'every suspended key of the account');
    },
    input: (options) => resumedOf(options),
    text: ({ resumed }) =>
      resumed === 0
        ? 'Nothing to do: no key is suspended.'
        : `Resumed ${resumed} ${resumed === 1 ? 'key' : 'keys'}.`,
  });
}

/** `vouch key create|list|rotate|resume|revoke`. */
export function addKey(noun: Command, dependencies: CliDependencies): void {
  addCreate(noun, dependencies);
  addCommand(noun, dependencies, {
    name: 'list',
    summary: 'list the API keys, without their secrets',
    operation: listKeys,
    options: (command) => {
      withPages(command).option('--peer <key>', 'list the keys of this peer only');
    },
    input: (options) => ({ ...pageOf(options), peer: options['peer'] }),
    text: ({ keys, next }) =>
      withNext(
        table(
          ['id', 'peer', 'pin', 'created', 'expires', 'revoked', 'suspended'],
          keys.map((row) => [
            row.id,
            row.peer_key,
            row.pin_path,
            row.created_at,
            row.expires_at,
            row.revoked_at,
            row.suspended_at,
          ]),
        ),
        next,
      ),
  });
  addRotate(noun, dependencies);
  addResume(noun, dependencies);
  addCommand(noun, dependencies, {
    name: 'revoke',
    summary: 'revoke a key; every process refuses it within 5 seconds',
    operation: revokeKey,
    options: (command) => {
      command.requiredOption('--id <id>', 'the id of the key');
    },
    input: (options) => ({ id: options['id'] }),
    text: ({ changed }) => (changed ? 'Revoked.' : 'Nothing to do: the key is already revoked.'),
  });
}
