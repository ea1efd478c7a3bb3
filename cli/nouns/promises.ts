/** `vouch promises repeat|check`: what a database of an earlier day must be held to. */
import type { Command } from 'commander';
import { checkPromises, type PromiseCheck } from '../../operations/promises/check.ts';
import { repeatPromises } from '../../operations/promises/repeat.ts';
import { addCommand, Complaint, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { UsageError } from '../errors.ts';
import type { NumberedLine } from '../../operations/promises/tally.ts';
import { pairs, table } from '../text.ts';

const collect = (path: string, paths: readonly string[] = []): readonly string[] => [
  ...paths,
  path,
];
const LISTS = [
  '--list <file...>',
  'a list of promises; several where machines kept their own',
] as const;

function pathsOf(options: Options): readonly string[] {
  const { list } = options;
  return Array.isArray(list) ? list.map(String) : [];
}

/** The complaint about lines that this release does not understand, or null. */
function complaintOf({ not_understood: { kinds, lines } }: Pick<PromiseCheck, 'not_understood'>) {
  if (lines === 0) return null;
  const named = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
  return `${lines} lines are of a later release${named}: repeat the list with that release too.`;
}

function checkText({ kinds, ...check }: PromiseCheck): string {
  const held = Object.entries(kinds).filter(([, lines]) => lines > 0);
  const times = pairs({
    first: check.first_given_at,
    last: check.last_given_at,
    'cut lines': check.cut,
    'lines of a later release': check.not_understood.lines,
  });
  return `${table(['KIND', 'LINES'], held)}\n\n${times}`;
}

/** The lines; a list that cannot be read is the fault of the command. */
async function* linesOf(
  dependencies: CliDependencies,
  options: Options,
): AsyncGenerator<NumberedLine> {
  try {
    yield* dependencies.promiseLines(pathsOf(options));
  } catch (error) {
    const isOfSystem = error instanceof Error && 'syscall' in error;
    throw isOfSystem ? new UsageError('A list cannot be read.') : error;
  }
}

function addCheck(noun: Command, dependencies: CliDependencies): void {
  const check = noun
    .command('check')
    .description('count the promises of a list; needs no server')
    .requiredOption(...LISTS, collect)
    .option('--json', 'print the result as one JSON value');
  check.action(async () => {
    const options = check.opts<Options>();
    const checked = await checkPromises(linesOf(dependencies, options));
    const text = options['json'] === true ? JSON.stringify(checked) : checkText(checked);
    dependencies.out(`${text}\n`);
    const complaint = complaintOf(checked);
    if (complaint !== null) throw new Complaint(complaint);
  });
}

function addRepeat(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'repeat',
    summary: 'bring about in this database what the lists promise; may be repeated',
    operation: repeatPromises,
    perAccount: false,
    options: (command) => {
      command
        .requiredOption(...LISTS, collect)
        .option('--since <time>', 'pass over what was promised before (ISO 8601, UTC)')
        .option('--account <key>', 'only the promises of this account');
    },
    input: async (options) => {
      // Nothing is changed by a list that holds something else.
      await checkPromises(linesOf(dependencies, options));
      return { since: options['since'], lines: linesOf(dependencies, options) };
    },
    text: ({ kinds, ...report }) => {
      const rows = Object.entries(kinds)
        .filter(([, { already, done, unknown }]) => already + done + unknown > 0)
        .map(([kind, { already, done, unknown }]) => [kind, done, already, unknown]);
      const numbers = pairs({
        'of other accounts': report.other_accounts,
        'before --since': report.before_since,
        'cut lines': report.cut,
        'denials that hold at / now': report.denied_everywhere.length,
        'accounts without an administrator': report.accounts_without_admin.length,
      });
      return `${table(['KIND', 'DONE', 'SO ALREADY', 'NOT HERE'], rows)}\n\n${numbers}`;
    },
    complaint: complaintOf,
  });
}

export function addPromises(noun: Command, dependencies: CliDependencies): void {
  addRepeat(noun, dependencies);
  addCheck(noun, dependencies);
}
