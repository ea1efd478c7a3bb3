import { InvalidArgumentError, Option, type Command } from 'commander';
import { MOST_LISTED } from '../operations/identity/pages.ts';
import type { Options } from './command.ts';

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > MOST_LISTED) {
    throw new InvalidArgumentError(`Give a number from 1 to ${MOST_LISTED}.`);
  }
  return count;
}

/** Adds `--limit` and `--after` to a command that lists in pages. */
export function withPages(command: Command): Command {
  return command
    .addOption(
      new Option('--limit <number>', `the most rows to list (default: ${MOST_LISTED})`).argParser(
        parseCount,
      ),
    )
    .option('--after <next>', 'start after this place, which the page before printed');
}

/** The part of the operation's input that the options give. */
export function pageOf(options: Options): Record<string, unknown> {
  return { limit: options['limit'], after: options['after'] };
}

/** The list, with the line that says how to get the next page where there is one. */
export function withNext(listed: string, next: string | null): string {
  return next === null ? listed : `${listed}\nThere may be more: add --after '${next}'`;
}
