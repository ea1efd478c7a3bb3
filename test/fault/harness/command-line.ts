/** What a test asks of the command line beside a running start. */
import { z } from 'zod';
import { vouch } from '../../../measure/command-line.ts';
import type { StackDirectory } from '../../../measure/stack.ts';

export { vouch };

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
