/** The command line beside a running start, as an operator calls it in its directory. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from './root.ts';
import { machineEnvironment } from './stack.ts';

export interface CommandResult {
  readonly exitCode: number;
  /** What `--json` printed. */
  readonly value: unknown;
}

const WITHIN_MS = 120_000;

/** Runs `vouch <args> --json` in the directory, for at most `timeout` milliseconds. Throws when it prints no JSON. */
export function vouch(
  directory: { readonly path: string },
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  timeout = WITHIN_MS,
): Promise<CommandResult> {
  const options = {
    cwd: directory.path,
    env: { ...machineEnvironment(), ...settings },
    timeout,
  };
  const command = [join(ROOT, 'bin/vouch.mjs'), ...args, '--json'];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      try {
        const exitCode = error === null ? 0 : z.int().parse(error.code);
        resolve({ exitCode, value: JSON.parse(stdout) });
      } catch {
        reject(new Error(`vouch ${args.join(' ')} failed: ${stderr}`));
      }
    });
  });
}
