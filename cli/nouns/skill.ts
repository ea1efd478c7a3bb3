import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  listCards,
  publishCardAsOperator,
  retireCardAsOperator,
  showCard,
} from '../../operations/skills/operator-cards.ts';
import { addCommand, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { UsageError } from '../errors.ts';
import { pageOf, withNext, withPages } from '../page-options.ts';
import { table } from '../text.ts';

/** The JSON object of the file. The operation says what it lacks. */
function cardOf(path: unknown): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(String(path), 'utf8');
  } catch {
    throw new UsageError('The file cannot be read.');
  }
  let card: unknown;
  try {
    card = JSON.parse(text);
  } catch {
    throw new UsageError('The file is not valid JSON.');
  }
  if (typeof card !== 'object' || card === null || Array.isArray(card)) {
    throw new UsageError('The file holds no JSON object.');
  }
  return { ...card };
}

function listInput(options: Options): Record<string, unknown> {
  const { retired, scope, skill } = options;
  return {
    ...pageOf(options),
    ...(scope === undefined ? {} : { scope }),
    ...(skill === undefined ? {} : { skill }),
    retired: retired === true,
  };
}

function addReads(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'list',
    summary: 'list the cards in force, the newest first',
    operation: listCards,
    options: (command) => {
      withPages(command)
        .option('--scope <path>', 'only cards of this scope')
        .option('--skill <name>', 'only cards of this skill')
        .option('--retired', 'also versions that are not in force');
    },
    input: listInput,
    text: ({ cards, next }) =>
      withNext(
        table(
          ['id', 'scope', 'skill', 'version', 'requirements', 'published', 'retired'],
          cards.map((row) => [
            row.id,
            row.scope_path,
            row.skill,
            row.version,
            row.requirement_count,
            row.published_at,
            row.retired_at,
          ]),
        ),
        next,
      ),
  });
  addCommand(noun, dependencies, {
    name: 'show',
    summary: 'print a version of a card in the form that publish takes',
    operation: showCard,
    options: (command) => {
      command.requiredOption('--id <id>', 'the id of the card');
    },
    input: (options) => ({ id: options['id'] }),
    text: ({ description, requirements, scope_path, skill }) =>
      JSON.stringify({ skill, scope_path, description, requirements }, null, 2),
  });
}

/** `vouch skill publish|list|show|retire`. */
export function addSkill(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'publish',
    summary:
      'publish a card for a scope and its descendants, in place of the version in force; the nearest scope wins for each key',
    operation: publishCardAsOperator,
    options: (command) => {
      command.requiredOption(
        '--file <path>',
        'the card as JSON: skill, scope_path, description, requirements',
      );
    },
    input: (options) => cardOf(options['file']),
    text: ({ card, status }) =>
      status === 'published'
        ? `Published version ${card.version} of ${card.skill} at ${card.scope_path}: ${card.id}`
        : `Nothing to do: version ${card.version} of ${card.skill} at ${card.scope_path} has the same content.`,
  });
  addReads(noun, dependencies);
  addCommand(noun, dependencies, {
    name: 'retire',
    summary: 'retire a version of a card; the requirements of the cards above apply again',
    operation: retireCardAsOperator,
    options: (command) => {
      command.requiredOption('--id <id>', 'the id of the card');
    },
    input: (options) => ({ id: options['id'] }),
    text: ({ scope_path: path, skill, version }) =>
      `Version ${version} of ${skill} at ${path} is retired.`,
  });
}
