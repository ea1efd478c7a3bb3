/** The command line beside a running start, as an operator calls it in its directory. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../../architecture/source-tree.ts';
import { machineEnvironment, type StackDirectory } from '../../../measure/stack.ts';

export interface CommandResult {
  readonly exitCode: number;
  /** What `--json` printed. */
  readonly value: unknown;
}

const WITHIN_MS = 120_000;

/** Runs `vouch <args> --json` in the directory. Throws when it prints no JSON. */
export function vouch(
  directory: StackDirectory,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const options = {
    cwd: directory.path,
    env: { ...machineEnvironment(), ...settings },
    timeout: WITHIN_MS,
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

const verification = z.object({
  consistent: z.boolean(),
  without_vector: z.int(),
  indexes: z.array(
    z.object({
      engine: z.enum(['qdrant', 'meilisearch']),
      unit: z.enum(['statement', 'message']),
      expected: z.int(),
      missing: z.int(),
      stale: z.int(),
      orphans: z.int(),
      pending: z.int(),
    }),
  ),
});

export interface Verification {
  readonly exitCode: number;
  readonly consistent: boolean;
  readonly withoutVector: number;
  /** `engine unit`: missing/stale/orphans/pending, for every pair. */
  readonly drift: Readonly<Record<string, string>>;
  /** Rows that each pair should hold. */
  readonly expected: Readonly<Record<string, number>>;
}

/** `vouch index verify`. */
export async function verifyIndex(
  directory: StackDirectory,
  settings: Readonly<Record<string, string>> = {},
): Promise<Verification> {
  const { exitCode, value } = await vouch(directory, ['index', 'verify'], settings);
  const { consistent, without_vector: withoutVector, indexes } = verification.parse(value);
  return {
    exitCode,
    consistent,
    withoutVector,
    drift: Object.fromEntries(
      indexes.map(({ engine, unit, missing, stale, orphans, pending }) => [
        `${engine} ${unit}`,
        [missing, stale, orphans, pending].join('/'),
      ]),
    ),
    expected: Object.fromEntries(
      indexes.map(({ engine, unit, expected }) => [`${engine} ${unit}`, expected]),
    ),
  };
}
