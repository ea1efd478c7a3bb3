import type { Command } from 'commander';
import { Complaint, type Options } from '../command.ts';
import type {
  BackupSummary,
  CliDependencies,
  DrillSummary,
  Installation,
} from '../dependencies.ts';
import { UsageError } from '../errors.ts';
import { pairs } from '../text.ts';
import { finishedText } from '../restore-text.ts';

/** The installation of the working directory. */
export function installationOf({ installation }: CliDependencies): Installation {
  if (installation === undefined) throw new UsageError('This command needs a directory.');
  return installation;
}

/** Prints the value as it is with `--json`, else as text. */
export function print<T>(
  dependencies: CliDependencies,
  options: Options,
  value: T,
  text: (value: T) => string,
): void {
  dependencies.out(`${options['json'] === true ? JSON.stringify(value) : text(value)}\n`);
}

function backupText({ counts, ...backup }: BackupSummary): string {
  return pairs({
    'state of': backup.ended_at,
    release: backup.app_version,
    accounts: counts['accounts'] ?? 0,
    files: counts['files'] ?? 0,
    bytes: counts['bytes'] ?? 0,
    documents: backup.includes_blobs ? (counts['blobs'] ?? 0) : 'in a bucket',
  });
}

function drillText({ ageSeconds, backup, finished }: DrillSummary): string {
  return `${backupText(backup)}\n${pairs({ 'age in hours': Math.round(ageSeconds / 360) / 10 })}\n${finishedText(finished)}`;
}

/** `vouch backup`: works on the files of the installation, beside any operation. */
export function addBackup(noun: Command, dependencies: CliDependencies): void {
  noun
    .option('--output <dir>', 'the directory to be made; it may not exist yet')
    .option('--verify <dir>', 'restore this backup beside the installation and look it over')
    .option('--json', 'print the result as one JSON value');
  noun.action(async () => {
    const options = noun.opts<Options>();
    const { output, verify } = options;
    if ((output === undefined) === (verify === undefined)) {
      throw new UsageError(
        'Name the directory to be made with --output, or a backup with --verify.',
      );
    }
    const installation = installationOf(dependencies);
    if (typeof output === 'string') {
      print(dependencies, options, await installation.backUp(output), backupText);
      return;
    }
    const report = await installation.drill(String(verify));
    print(dependencies, options, report, drillText);
    if (report.faults.length > 0) throw new Complaint(report.faults.join(' '));
  });
}
