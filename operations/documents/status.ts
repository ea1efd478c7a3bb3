/**
 * What became of a document version: the status of an observation, over all its chunks. Visible to the peer
 * that uploaded it, and to curators and admins of its scope; for every other caller it does not exist.
 */
import { z } from 'zod';
import { documentStatus, isFinal, type DocumentStatus } from '../../domain/documents/status.ts';
import { Refusal } from '../../domain/errors.ts';
import {
  visibleByDefault,
  visibleInState,
  type Reader,
} from '../../domain/governance/visibility.ts';
import type { VersionStatusRow } from '../../stores/postgres/documents/status.store.ts';
import { waitUntilSettled } from '../observations/settlement-waiter.ts';
import {
  maySee,
  readableScopeIds,
  statusFields,
  waitField,
} from '../observations/status-fields.ts';
import { defineOperation } from '../operation.ts';
import { ownReader, ownScopedReader } from '../access/own-reader.ts';

/** A document may yield thousands of statements; search and listing find all of them. */
const MAX_STATEMENTS = 1_000;

const input = z.object({
  document_version_id: z.uuid().describe('The `document_version_id` that the upload returned.'),
  wait_ms: waitField,
});

const output = z.object({
  document_id: z.uuid(),
  document_version_id: z.uuid(),
  version: z
    .int()
    .min(1)
    .describe('The number of the version. The first version of a document has the number 1.'),
  chunk_count: z
    .int()
    .min(0)
    .nullable()
    .describe(
      'The number of passages in the version. Null until the service has read the version.',
    ),
  withdrawn_at: z.iso
    .datetime()
    .nullable()
    .describe(
      'When the document was withdrawn. Null for a version in force, also if a caller uploaded it after a withdrawal.',
    ),
  ...statusFields,
  knowledge: statusFields.knowledge.describe(
    `The statements drawn from its passages that the caller may see, at most ${MAX_STATEMENTS}. Empty unless the status is \`completed\`.`,
  ),
});

/** The status of a version as its row tells it. */
function statusOf(row: VersionStatusRow): DocumentStatus {
  return documentStatus({
    parseErrorClass: row.parse_error_class,
    isParsed: row.parsed_at !== null,
    isSettled: row.settled_at !== null || row.is_replaced,
    chunks: row,
  });
}

/** When the last step of the version ended. */
function completedAt(row: VersionStatusRow): string | null {
  const times = [row.parsed_at, row.completed_at, row.settled_at].filter((at) => at !== null);
  return times.toSorted().at(-1) ?? null;
}

export const readDocumentStatus = defineOperation({
  id: 'document.status',
  access: 'any_identity',
  effect: 'read',
  summary: 'Read the status of a version of a document and its statements',
  description:
    'The peer who uploaded the version may read the status. So may curators and administrators of the scope.',
  refusals: ['not_found'],
  input,
  output,
  async run(context, request) {
    const { caller, inAccount } = context;
    const { accountId } = caller;
    const { document_version_id: versionId, wait_ms: waitMs } = request;
    const reader = ownReader(caller);
    const readStatus = (as: Reader) =>
      inAccount(accountId, ({ documentStatus }) => documentStatus.ofVersion(versionId, as));
    const visibleStatus = async (): Promise<VersionStatusRow> => {
      const row = await readStatus(reader);
      if (row === null || !maySee(caller, row)) throw new Refusal('not_found');
      return row;
    };

    let row = await visibleStatus();
    if (waitMs > 0 && !isFinal(statusOf(row))) {
      const isSettled = async (): Promise<boolean> => {
        const now = await readStatus({ posture: 'internal' });
        return now === null || isFinal(statusOf(now));
      };
      await waitUntilSettled(context, isSettled, waitMs);
      row = await visibleStatus();
    }
    const status = statusOf(row);
    const isCompleted = status === 'completed';
    const query = {
      scopeIds: readableScopeIds(caller, row),
      reader,
      at: new Date().toISOString(),
    };
    const knowledge = isCompleted
      ? await inAccount(accountId, (stores) =>
          stores.knowledge.read({
            selection: { by: 'document_version', versionId, limit: MAX_STATEMENTS },
            visible: visibleByDefault(query),
            replaced: visibleInState('superseded', query, []),
            reader: ownScopedReader(caller),
          }),
        )
      : [];
    return {
      document_id: row.document_id,
      document_version_id: versionId,
      version: row.version,
      chunk_count: row.chunk_count,
      withdrawn_at: row.withdrawn_at,
      status,
      extraction_completed_at: isCompleted ? completedAt(row) : null,
      knowledge: knowledge.map((statement) => ({ ...statement })),
      last_error_class: row.parse_error_class ?? row.chunk_error_class,
      attempt_count: Math.max(row.parse_attempts, row.chunk_attempts),
      next_attempt_at: status === 'failed' ? row.next_attempt_at : null,
    };
  },
});
