/**
 * What became of an observation. Visible to whoever was there when it was said, and to curators and admins of
 * its scope; for everybody else it does not exist.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { visibleByDefault, type Reader } from '../../domain/governance/visibility.ts';
import { callerRoleAt, readableChain, type Caller } from '../../domain/identity/caller.ts';
import { roleCovers } from '../../domain/identity/roles.ts';
import { ERROR_CLASSES } from '../../domain/models/error-class.ts';
import { isWithin, parseScopePath, type ScopePath } from '../../domain/scopes/path.ts';
import type { ObservationStatusRow } from '../../stores/postgres/messages.store.ts';
import { defineOperation } from '../operation.ts';
import { knowledgeOutput } from './knowledge-output.ts';

const MAX_WAIT_MS = 10_000;

const input = z.object({
  message_id: z.uuid().describe('As ingest answered it. What is no UUID does not exist.'),
  wait_ms: z
    .number()
    .nullish()
    .transform((wait) => Math.min(Math.max(Math.trunc(wait ?? 0), 0), MAX_WAIT_MS))
    .meta({
      description:
        'Waits up to so many milliseconds for the extraction to end. Clamped to 0..10000.',
      wire: { default: 0, examples: [10_000] },
    }),
});

const output = z.object({
  message_id: z.uuid(),
  status: z
    .enum(['pending', 'failed', 'completed', 'repairable', 'terminal'])
    .describe(
      '`pending`: not finished. `failed`: an attempt failed, another follows. `completed`: its statements are there. `repairable`: an operator must act first. `terminal`: given up.',
    ),
  extraction_completed_at: z.iso.datetime().nullable(),
  knowledge: z
    .array(knowledgeOutput)
    .describe('What came of it, as far as the caller may see; empty unless completed.'),
  last_error_class: z.enum(ERROR_CLASSES).nullable(),
  attempt_count: z.int().min(0),
  next_attempt_at: z.iso.datetime().nullable(),
});

type Status = z.input<typeof output>;

/** As whom a caller reads without naming anybody: its own peer, or nobody. */
function ownReader(caller: Caller): Reader {
  return caller.peerId === null
    ? { posture: 'public_only' }
    : { posture: 'peer', peerId: caller.peerId };
}

function isWithinPin(caller: Caller, path: ScopePath): boolean {
  const { pinPath } = caller;
  return pinPath === null || isWithin(path, pinPath) || isWithin(pinPath, path);
}

function maySee(caller: Caller, row: ObservationStatusRow): boolean {
  const path = parseScopePath(row.scope_path);
  if (path === null || !isWithinPin(caller, path)) return false;
  const role = callerRoleAt(caller, path);
  return roleCovers(role, row.was_there ? 'reader' : 'curator');
}

/** The existing scopes of the message's chain that the caller may read. */
function readableScopeIds(caller: Caller, row: ObservationStatusRow): readonly string[] {
  const path = parseScopePath(row.scope_path);
  if (path === null) return [];
  const readable = new Set<string>(readableChain({ ...caller, pinPath: null }, path));
  return row.chain.filter((step) => readable.has(step.path)).map(({ id }) => id);
}

export const readIngestStatus = defineOperation({
  id: 'observation.status',
  access: 'any_identity',
  effect: 'read',
  summary: 'How far an extraction is, and what came of it',
  description:
    'Shown to whoever was there when it was said, and to curators and administrators of the scope.',
  refusals: ['not_found'],
  input,
  output,
  async run({ caller, services, signal }, { message_id: messageId, wait_ms: waitMs }) {
    const { observations } = services;
    const reader = ownReader(caller);
    const visibleStatus = async (): Promise<ObservationStatusRow> => {
      const row = await observations.readStatus(caller.accountId, messageId, reader);
      if (row === null || !maySee(caller, row)) throw new Refusal('not_found');
      return row;
    };

    let row = await visibleStatus();
    if (waitMs > 0 && (row.status === 'pending' || row.status === 'failed')) {
      await observations.waitUntilSettled(caller.accountId, messageId, waitMs, signal);
      row = await visibleStatus();
    }
    const status: Status = {
      message_id: messageId,
      status: row.status,
      extraction_completed_at: row.completed_at,
      knowledge: [],
      last_error_class: row.last_error_class,
      attempt_count: row.attempt_count,
      next_attempt_at: row.next_attempt_at,
    };
    if (row.status !== 'completed') return status;
    const visible = visibleByDefault({
      scopeIds: readableScopeIds(caller, row),
      reader,
      at: new Date().toISOString(),
    });
    const knowledge = await observations.readKnowledge(caller.accountId, {
      selection: { by: 'source', messageId },
      visible,
      reader,
    });
    return { ...status, knowledge: knowledge.map((row) => ({ ...row })) };
  },
});
