import type { Command } from 'commander';
import { exportAccount } from '../operations/portability/export.ts';
import { importAccount } from '../operations/portability/import.ts';
import { addCommand } from './command.ts';
import type { CliDependencies } from './dependencies.ts';
import { pairs } from './text.ts';

/** What an import without a list leaves unknown. */
const UNKNOWN_SINCE =
  'What was erased or revoked after the export is unknown here. Do again by hand what was promised since, before people use the account.';

/** `vouch account export`. */
function addExport(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'export',
    summary: 'write everything that an account is into one file, which its owner can take along',
    operation: exportAccount,
    options: (command) => {
      command.requiredOption('--output <file>', 'the archive; there must be no file of that name');
    },
    input: (options) => ({ output: options['output'] }),
    text: (output) =>
      pairs({
        account: output.account_key,
        file: output.file,
        bytes: output.bytes,
        rows: output.rows,
        originals: output.blobs,
        manifest: output.manifest_sha256,
        'audit head': output.audit.head,
      }),
  });
}

/** `vouch account import`. */
function addImport(noun: Command, dependencies: CliDependencies): void {
  addCommand(noun, dependencies, {
    name: 'import',
    summary: 'bring an account out of an archive into this deployment, which must not have it',
    operation: importAccount,
    perAccount: false,
    options: (command) => {
      command
        .requiredOption('--input <file>', 'the archive that an export wrote')
        .option('--validate-only', 'check everything and write nothing')
        .option(
          '--list <file...>',
          'lists of promises: what was promised since the export holds here too',
        );
    },
    input: (options) => ({
      input: options['input'],
      validate_only: options['validateOnly'] === true,
      ...(Array.isArray(options['list'])
        ? { lines: dependencies.promiseLines(options['list'].map(String)) }
        : {}),
    }),
    text: (output) => {
      const facts = pairs({
        account: output.account_key,
        id: output.account_id,
        imported: output.imported ? 'yes' : 'no, only checked',
        rows: output.rows,
        originals: output.blobs,
        manifest: output.manifest_sha256,
        'audit head': output.audit.head,
        ...(output.run_id === null ? {} : { 'run of the indexes': output.run_id }),
      });
      return output.imported && !output.promises_known ? `${facts}\n\n${UNKNOWN_SINCE}` : facts;
    },
  });
}

/** The archive of an account, out and in. */
export function addArchive(noun: Command, dependencies: CliDependencies): void {
  addExport(noun, dependencies);
  addImport(noun, dependencies);
}
