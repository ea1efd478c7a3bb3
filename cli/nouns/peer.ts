import { Option, type Command } from 'commander';
import { ERASURE_MODES } from '../../domain/erasure/words.ts';
import { erasePeer } from '../../operations/erasure/erase-peer.ts';
import { listPeers } from '../../operations/identity/peers.ts';
import { addCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pageOf, withNext, withPages } from '../page-options.ts';
import { table } from '../text.ts';

/** `vouch peer erase|list`. */
export function addPeer(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'erase',
    summary: 'erase a person permanently: messages, statements about the person, login and keys',
    operation: erasePeer,
    options: (command) => {
      command
        .requiredOption('--peer <key>', 'the key of the peer')
        .addOption(
          new Option(
            '--mode <mode>',
            'for statements about others that only the person attests: proportionate keeps a row without text, strict deletes the row',
          )
            .choices([...ERASURE_MODES])
            .default('proportionate'),
        );
    },
    input: (options) => ({ peer: options['peer'], mode: options['mode'] }),
    text: ({ id, mode, state }) =>
      `Erasure ${id} (${mode}) is ${state}. Read it with: vouch erasure status --id ${id}`,
  });
  addCommand(noun, dependencies, {
    name: 'list',
    summary: 'list the people and agents of the account',
    operation: listPeers,
    options: withPages,
    input: pageOf,
    text: ({ next, peers }) =>
      withNext(
        table(
          ['key', 'name', 'kind', 'created', 'signs in', 'erased'],
          peers.map((row) => [
            row.key,
            row.name,
            row.kind,
            row.created_at,
            row.has_login,
            row.is_erased,
          ]),
        ),
        next,
      ),
  });
}
