import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import type { z } from 'zod';
import { SENSITIVITIES, TARGET_LEVELS } from '../../domain/statements/candidate.ts';
import {
  VALUE_COLUMN_NAMES,
  VALUE_COLUMNS,
  type RuleColumnShape,
  type ValueColumn,
} from '../../domain/governance/rule-columns.ts';
import { listRules, removeRule, setRule } from '../../operations/governance/operator-rules.ts';
import { addCommand, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { table } from '../text.ts';

const ACCOUNT = 'the whole account';

function addCell(command: Command): void {
  command
    .addArgument(new Argument('<level>', 'how far it asks to be placed').choices(TARGET_LEVELS))
    .addArgument(new Argument('<sensitivity>').choices(SENSITIVITIES))
    .option('--scope <path>', `the scope it is written for; absent: ${ACCOUNT}`);
}

/** The operation says which numbers it takes. */
function parseNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || Number.isNaN(value)) throw new InvalidArgumentError('Give a number.');
  return value;
}

const parseNullable = (text: string): number | string =>
  text === 'never' ? text : parseNumber(text);

/** The option that gives each value of a rule, and what its help says. */
const OPTIONS: Readonly<Record<ValueColumn, readonly [flags: string, description: string]>> = {
  gate_a: ['--gate-a <mode>', 'whether it is kept'],
  gate_b: ['--gate-b <mode>', 'whether it is placed'],
  minimum_evidence_level: ['--evidence <level>', 'the evidence it needs'],
  minimum_confidence: ['--confidence <number>', 'the confidence it needs, 0 to 1'],
  minimum_corroboration: ['--corroboration <number>', 'the speakers and documents it needs'],
  requires_consent: ['--consent <answer>', 'whether the person it is about has to agree'],
  automatic_consent: ['--automatic-consent <answer>', 'whether the account agrees instead'],
  pending_max_age_hours: ['--decide-within <hours>', 'when a person should have decided'],
  revalidate_after_days: [
    '--revalidate-after <days>',
    'when it has to be confirmed again, or never',
  ],
  expires_after_days: ['--expires-after <days>', 'when it is no longer shown, or never'],
};

function optionOf(name: ValueColumn): Option {
  const option = new Option(...OPTIONS[name]);
  const column: RuleColumnShape = VALUE_COLUMNS[name];
  if ('words' in column) return option.choices(column.words);
  if (column.type === 'flag') return option.choices(['yes', 'no']);
  return option.argParser(column.nullable === true ? parseNullable : parseNumber);
}

const WORDS = new Map<unknown, boolean | null>([
  ['yes', true],
  ['no', false],
  ['never', null],
]);

function changesOf(options: Options): Record<string, unknown> {
  const values = VALUE_COLUMN_NAMES.map((name) => {
    const value = options[optionOf(name).attributeName()];
    return [name, WORDS.has(value) ? WORDS.get(value) : value] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

const placeOf = (options: Options) =>
  options['scope'] === undefined ? {} : { scope: options['scope'] };

const cellOf = ([level, sensitivity]: readonly string[]) => ({
  target_level: level,
  sensitivity,
});

function changeText({
  changed,
  run_id: runId,
  scope_path: path,
}: {
  readonly changed: boolean;
  readonly run_id: string | null;
  readonly scope_path: string | null;
}): string {
  return changed
    ? `The rules of ${path ?? ACCOUNT} have changed. The gates look again at what waits: run ${runId}.`
    : `Nothing to do: the rules of ${path ?? ACCOUNT} are so.`;
}

type Row = z.output<typeof listRules.output>['rules'][number];

/** The columns of the list: the heading, and what stands under it. */
const LISTED: readonly (readonly [
  heading: string,
  shown: (row: Row) => string | number | boolean | null,
])[] = [
  ['scope', (row) => row.scope_path ?? (row.source === 'account' ? 'account' : 'built in')],
  ['level', (row) => row.target_level],
  ['sensitivity', (row) => row.sensitivity],
  ['keep', (row) => row.gate_a],
  ['place', (row) => row.gate_b],
  ['evidence', (row) => row.minimum_evidence_level],
  ['confidence', (row) => row.minimum_confidence],
  ['corroboration', (row) => row.minimum_corroboration],
  ['consent', (row) => (row.automatic_consent ? 'automatic' : row.requires_consent)],
  ['revalidate', (row) => row.revalidate_after_days],
  ['expires', (row) => row.expires_after_days],
];

/** `vouch governance rules`, `rules set` and `rules remove`. */
export function addRules(noun: Command, dependencies: CliDependencies): void {
  const rules = addCommand(noun, dependencies, {
    name: 'rules',
    summary: 'the rules that are written, or those in force at a scope; the nearest scope wins',
    operation: listRules,
    options: (command) => {
      command.option('--scope <path>', 'show the rule of each cell that decides there');
    },
    input: placeOf,
    text: ({ preset, rules: rows }) =>
      `preset ${preset}\n${table(
        LISTED.map(([heading]) => heading),
        rows.map((row) => LISTED.map(([, shown]) => shown(row))),
      )}`,
  });
  addCommand(rules, dependencies, {
    name: 'set',
    summary: 'write the rule of a cell: what is in force there, with the values that are given',
    operation: setRule,
    options: (command) => {
      addCell(command);
      for (const name of VALUE_COLUMN_NAMES) command.addOption(optionOf(name));
    },
    input: (options, cell) => ({
      ...placeOf(options),
      ...cellOf(cell),
      changes: changesOf(options),
    }),
    text: changeText,
  });
  addCommand(rules, dependencies, {
    name: 'remove',
    summary: 'take the rule of a cell away; the one above is in force again',
    operation: removeRule,
    options: addCell,
    input: (options, cell) => ({ ...placeOf(options), ...cellOf(cell) }),
    text: changeText,
  });
}
