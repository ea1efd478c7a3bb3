import { InvalidArgumentError, Option, type Command } from 'commander';
import { OVERRIDABLE_PROFILES } from '../../domain/retrieval/profile-override.ts';
import {
  listProfileOverrides,
  removeProfileOverride,
  setProfileOverride,
} from '../../operations/retrieval/profile-overrides.ts';
import { addCommand, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { table } from '../text.ts';

const ACCOUNT = 'the whole account';

function addPlace(command: Command): void {
  command
    .addOption(
      new Option('--profile <name>', 'the retrieval profile')
        .choices(OVERRIDABLE_PROFILES)
        .makeOptionMandatory(),
    )
    .option(
      '--scope <path>',
      `the scope of the override, with its descendants; absent: ${ACCOUNT}`,
    );
}

/** The operation says which numbers it takes. */
function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('Give a number.');
  return value;
}

/** `semantic=1,lexical=0.8`; the operation says which names it takes. */
function parseStrategies(text: string): Readonly<Record<string, number>> {
  const weights = text.split(',').map((pair) => {
    const [name = '', weight = '', ...rest] = pair.split('=').map((part) => part.trim());
    if (name === '' || rest.length > 0) {
      throw new InvalidArgumentError('Give name=weight, separated by commas.');
    }
    return [name, parseNumber(weight)] as const;
  });
  if (new Set(weights.map(([name]) => name)).size < weights.length) {
    throw new InvalidArgumentError('Name each strategy once.');
  }
  return Object.fromEntries(weights);
}

/** Members of the operation's input, by the options that give them. */
const MEMBERS: Readonly<Record<string, string>> = {
  profile: 'profile',
  scope: 'scope',
  strategies: 'strategies',
  deadlineMs: 'deadline_ms',
  rrfK: 'rrf_k',
  rerank: 'rerank',
};

function inputOf(options: Options): Record<string, unknown> {
  const given = Object.entries(MEMBERS).filter(([option]) => options[option] !== undefined);
  return Object.fromEntries(given.map(([option, member]) => [member, options[option]]));
}

function weightsText(strategies: Readonly<Record<string, number>> | null): string | null {
  if (strategies === null) return null;
  return Object.entries(strategies)
    .map(([name, weight]) => `${name}=${weight}`)
    .join(',');
}

/** `vouch retrieval profile set|list|remove`. */
export function addRetrieval(retrieval: Command, dependencies: CliDependencies): void {
  const noun = retrieval
    .command('profile')
    .description('overrides of retrieval profiles; the nearest scope wins');
  addCommand(noun, dependencies, {
    name: 'set',
    summary:
      'set an override as a whole: a value that is not given is the profile’s own. Searches name it as profile_override',
    operation: setProfileOverride,
    options: (command) => {
      addPlace(command);
      command
        .option(
          '--strategies <weights>',
          'all strategies that run with their weights: semantic=1,lexical=0.8. A strategy that is not named is switched off: searches report it as dropped and are degraded',
          parseStrategies,
        )
        .option(
          '--deadline-ms <number>',
          'the time limit of a search; one strategy gets at most 750 ms of it',
          parseNumber,
        )
        .option('--rrf-k <number>', 'the rank constant of the fusion', parseNumber)
        .option('--rerank', 'let the reranker order the best hits')
        .option('--no-rerank', 'do not call the reranker');
    },
    input: inputOf,
    text: ({ changed, profile, profile_override: digest, scope_path: path }) =>
      changed
        ? `Profile ${profile} of ${path ?? ACCOUNT} is overridden: ${digest ?? ''}.`
        : `Nothing to do: profile ${profile} of ${path ?? ACCOUNT} has these values.`,
  });
  addCommand(noun, dependencies, {
    name: 'list',
    summary: 'list all overrides',
    operation: listProfileOverrides,
    input: () => ({}),
    text: ({ overrides }) =>
      table(
        ['profile', 'scope', 'override', 'strategies', 'deadline', 'rrf_k', 'rerank', 'set'],
        overrides.map((row) => [
          row.profile,
          row.scope_path ?? 'account',
          row.profile_override,
          weightsText(row.strategies),
          row.deadline_ms,
          row.rrf_k,
          row.rerank,
          row.set_at,
        ]),
      ),
  });
  addCommand(noun, dependencies, {
    name: 'remove',
    summary:
      'remove an override; the one of the next scope above, or the profile itself, is in force again',
    operation: removeProfileOverride,
    options: addPlace,
    input: inputOf,
    text: ({ changed, profile, scope_path: path }) =>
      changed
        ? 'Removed.'
        : `Nothing to do: profile ${profile} of ${path ?? ACCOUNT} has no override.`,
  });
}
