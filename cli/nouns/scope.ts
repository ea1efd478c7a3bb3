import type { Command } from 'commander';
import { linkScopes, listScopeLinks, unlinkScopes } from '../../operations/scopes/links.ts';
import { addCommand, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { table } from '../text.ts';

function addEnds(command: Command): void {
  command
    .requiredOption('--from <path>', 'one scope')
    .requiredOption('--to <path>', 'the other scope');
}

const endsOf = (options: Options) => ({ from: options['from'], to: options['to'] });

/** `vouch scope link|unlink|links`. */
export function addScope(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'link',
    summary:
      'link two scopes: a search in one of them with include_cross_links also reads the other, if its caller may read both; a link has no direction and gives nobody access',
    operation: linkScopes,
    options: addEnds,
    input: endsOf,
    text: ({ changed }) =>
      changed ? 'Linked.' : 'Nothing to do: these scopes are already linked.',
  });
  addCommand(noun, dependencies, {
    name: 'unlink',
    summary: 'end the link between two scopes',
    operation: unlinkScopes,
    options: addEnds,
    input: endsOf,
    text: ({ changed }) => (changed ? 'Unlinked.' : 'Nothing to do: these scopes are not linked.'),
  });
  addCommand(noun, dependencies, {
    name: 'links',
    summary: 'list all links, or those of one scope',
    operation: listScopeLinks,
    options: (command) => {
      command.option('--scope <path>', 'only links of this scope');
    },
    input: (options) => (options['scope'] === undefined ? {} : { scope: options['scope'] }),
    text: ({ links }) =>
      table(
        ['from', 'to', 'since'],
        links.map((row) => [row.from_scope_path, row.to_scope_path, row.created_at]),
      ),
  });
}
