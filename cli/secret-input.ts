/** Secrets come from standard input or from a file, never from an argument, which every process can read. */
import { readFile } from 'node:fs/promises';
import { Option, type Command } from 'commander';
import type { CliDependencies } from './dependencies.ts';
import { UsageError } from './errors.ts';

/** Adds the two ways to name a new password. */
export function withPassword(command: Command): Command {
  return command
    .addOption(
      new Option('--password-stdin', 'read the password from standard input').conflicts(
        'passwordFile',
      ),
    )
    .addOption(new Option('--password-file <path>', 'read the password from a file'));
}

async function readStdin(stdin: CliDependencies['stdin']): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

async function readSecretFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    throw new UsageError(`The file of --password-file is not readable.`);
  }
}

/** The password, without the newline that ends it. Throws `UsageError` when none is given. */
export async function readPassword(
  options: Readonly<Record<string, unknown>>,
  dependencies: CliDependencies,
): Promise<string> {
  const path = options['passwordFile'];
  if (typeof path !== 'string' && options['passwordStdin'] !== true) {
    throw new UsageError('Give the password with --password-stdin or --password-file <path>.');
  }
  const text =
    typeof path === 'string' ? await readSecretFile(path) : await readStdin(dependencies.stdin);
  const password = text.replace(/\r?\n$/, '');
  if (password === '') throw new UsageError('The password is empty.');
  return password;
}
