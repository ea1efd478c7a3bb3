/** What the status of an observation and of a document have in common: their fields, and who may look. */
import { z } from 'zod';
import { callerRoleAt, readableChain, type Caller } from '../../domain/identity/caller.ts';
import { roleCovers } from '../../domain/identity/roles.ts';
import { ERROR_CLASSES } from '../../domain/error-class.ts';
import { isWithin, parseScopePath, scopeChain, type ScopePath } from '../../domain/scopes/path.ts';
import { knowledgeOutput } from './knowledge-output.ts';

const MAX_WAIT_MS = 10_000;

export const waitField = z
  .number()
  .nullish()
  .transform((wait) => Math.min(Math.max(Math.trunc(wait ?? 0), 0), MAX_WAIT_MS))
  .meta({
    description:
      'How many milliseconds to wait at most for the extraction to end. The service clamps the number to 0..10000.',
    wire: { default: 0, examples: [10_000] },
  });

export const statusFields = {
  status: z
    .enum(['pending', 'failed', 'completed', 'repairable', 'terminal'])
    .describe(
      '`pending`: the extraction has not finished. `failed`: an attempt failed, and another follows. `completed`: the statements can be found. `repairable`: an operator must act before the next attempt. `terminal`: the service makes no further attempt.',
    ),
  extraction_completed_at: z.iso.datetime().nullable(),
  knowledge: z
    .array(knowledgeOutput)
    .describe(
      'The statements drawn from it that the caller may see. Empty unless the status is `completed`.',
    ),
  last_error_class: z.enum(ERROR_CLASSES).nullable(),
  attempt_count: z.int().min(0),
  next_attempt_at: z.iso.datetime().nullable(),
};

/** Where a source stands, and whether the caller was there. */
export interface PlacedSource {
  readonly scope_path: string;
  readonly chain: readonly { readonly id: string; readonly depth: number }[];
  readonly was_there: boolean;
  /** Whether its audience does not leave the reader out. */
  readonly is_for_reader: boolean;
}

function isWithinPin(caller: Caller, path: ScopePath): boolean {
  const { pinPath } = caller;
  return pinPath === null || isWithin(path, pinPath) || isWithin(pinPath, path);
}

/** Whether the caller may ask about the source: as a reader who was there, or as curator or admin of its scope. */
export function maySee(caller: Caller, source: PlacedSource): boolean {
  const path = parseScopePath(source.scope_path);
  if (path === null || !isWithinPin(caller, path)) return false;
  const role = callerRoleAt(caller, path);
  if (source.was_there) return roleCovers(role, 'reader');
  return source.is_for_reader && roleCovers(role, 'curator');
}

/** The existing scopes of the source's chain that the caller may read. */
export function readableScopeIds(caller: Caller, source: PlacedSource): readonly string[] {
  const path = parseScopePath(source.scope_path);
  if (path === null) return [];
  const readable = new Set<string>(readableChain({ ...caller, pinPath: null }, path));
  const depths = scopeChain(path).map((step) => readable.has(step));
  return source.chain.filter(({ depth }) => depths[depth] === true).map(({ id }) => id);
}
