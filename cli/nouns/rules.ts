import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { SENSITIVITIES, TARGET_LEVELS } from '../../domain/extraction/candidate.ts';
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

const parseDays = (text: string): number | string => (text === 'never' ? text : parseNumber(text));

const yesOrNo = (flags: string, description: string) =>
  new Option(flags, description).choices(['yes', 'no']);

function addValues(command: Command): void {
  command
    .addOption(
      new Option('--gate-a <mode>', 'whether it is kept').choices([
        'auto_keep',
        'auto_reject',
        'human',
      ]),
    )
    .addOption(
      new Option('--gate-b <mode>', 'whether it is placed').choices(['auto_place', 'human']),
    )
    .addOption(
      new Option('--evidence <level>', 'the evidence it needs').choices(['direct', 'indirect']),
    )
    .option('--confidence <number>', 'the confidence it needs, 0 to 1', parseNumber)
    .option('--corroboration <number>', 'the speakers and documents it needs', parseNumber)
    .addOption(yesOrNo('--consent <answer>', 'whether the person it is about has to agree'))
    .addOption(yesOrNo('--automatic-consent <answer>', 'whether the account agrees instead'))
    .option('--decide-within <hours>', 'when a person should have decided', parseNumber)
    .option('--revalidate-after <days>', 'when it has to be confirmed again, or never', parseDays)
    .option('--expires-after <days>', 'when it is no longer shown, or never', parseDays);
}

/** Members of the operation's `changes`, by the options that give them. */
const VALUES: Readonly<Record<string, string>> = {
  gateA: 'gate_a',
  gateB: 'gate_b',
  evidence: 'minimum_evidence_level',
  confidence: 'minimum_confidence',
  corroboration: 'minimum_corroboration',
  consent: 'requires_consent',
  automaticConsent: 'automatic_consent',
  decideWithin: 'pending_max_age_hours',
  revalidateAfter: 'revalidate_after_days',
  expiresAfter: 'expires_after_days',
};

const WORDS = new Map<unknown, boolean | null>([
  ['yes', true],
  ['no', false],
  ['never', null],
]);

function changesOf(options: Options): Record<string, unknown> {
  const given = Object.entries(VALUES).filter(([option]) => options[option] !== undefined);
  return Object.fromEntries(
    given.map(([option, member]) => {
      const value = options[option];
      return [member, WORDS.has(value) ? WORDS.get(value) : value];
    }),
  );
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
        [
          'scope',
          'level',
          'sensitivity',
          'keep',
          'place',
          'evidence',
          'confidence',
          'sources',
          'consent',
          'revalidate',
          'expires',
        ],
        rows.map((row) => [
          row.scope_path ?? (row.source === 'account' ? 'account' : 'built in'),
          row.target_level,
          row.sensitivity,
          row.gate_a,
          row.gate_b,
          row.minimum_evidence_level,
          row.minimum_confidence,
          row.minimum_corroboration,
          row.automatic_consent ? 'automatic' : row.requires_consent,
          row.revalidate_after_days,
          row.expires_after_days,
        ]),
      )}`,
  });
  addCommand(rules, dependencies, {
    name: 'set',
    summary: 'write the rule of a cell: what is in force there, with the values that are given',
    operation: setRule,
    options: (command) => {
      addCell(command);
      addValues(command);
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
