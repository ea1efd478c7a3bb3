import type { Command } from 'commander';
import { checkRestore } from '../../operations/restore/check.ts';
import { finishRestore } from '../../operations/restore/finish.ts';
import { addCommand, Complaint, type Options } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { UsageError } from '../errors.ts';
import { installationOf, print } from './backup.ts';
import { pairs } from '../text.ts';
import { faultOf, finishedText, restoreText } from '../restore-text.ts';

const LIST = '--list <files...>';
const LIST_HELP = 'lists of promises that go on after the backup';

function listsOf({ list }: Options): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}

/** `vouch restore --input`, and `vouch restore finish` for a database that was restored with tools of its own. */
export function addRestore(noun: Command, dependencies: CliDependencies): void {
  noun
    .option('--input <dir>', 'the directory that vouch backup made')
    .option(LIST, LIST_HELP)
    .option('--json', 'print the result as one JSON value');
  noun.action(async () => {
    const options = noun.opts<Options>();
    const { input } = options;
    if (typeof input !== 'string') throw new UsageError('Name the backup: --input <dir>.');
    const report = await installationOf(dependencies).restore(input, listsOf(options));
    print(dependencies, options, report, restoreText);
    const fault = faultOf(report.finished);
    if (fault !== null) throw new Complaint(fault);
  });
  addCommand(noun, dependencies, {
    name: 'finish',
    summary:
      'close the restore of a database: end sign-ins, suspend keys, repeat promises, write the indexes, verify',
    operation: finishRestore,
    servers: ['meilisearch', 'qdrant'],
    perAccount: false,
    options: (command) => {
      command
        .option(LIST, LIST_HELP)
        .option('--backup-at <time>', 'when the backup was made (ISO 8601), for the audit log');
    },
    input: (options) => {
      const lists = listsOf(options);
      return {
        backup_at: options['backupAt'],
        ...(lists.length === 0 ? {} : { promises: dependencies.promiseLines(lists) }),
      };
    },
    text: finishedText,
    complaint: faultOf,
  });
  addCommand(noun, dependencies, {
    name: 'check',
    summary: 'compare the indexes with the database, and check the receipts of erasures',
    operation: checkRestore,
    servers: ['meilisearch', 'qdrant'],
    perAccount: false,
    input: async () => {
      const pem = await dependencies.receiptKeyPem().catch(() => null);
      return pem === null ? {} : { receipt_key_pem: pem };
    },
    text: ({ drifting_accounts: drifting, receipts }) =>
      pairs({
        'receipts that are valid': receipts.valid,
        'receipts that are not': receipts.invalid,
        'accounts whose indexes differ': drifting,
      }),
    complaint: ({ drifting_accounts: drifting, receipts }) =>
      drifting + receipts.invalid === 0
        ? null
        : 'The restore is not whole: run vouch index rebuild, and check the key of receipts.',
  });
}
