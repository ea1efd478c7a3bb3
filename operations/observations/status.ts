/**
 * What became of an observation. Visible to peers who were there when it was said, and to curators and admins of
 * its scope; for every other caller it does not exist.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { visibleByDefault, visibleInState } from '../../domain/governance/visibility.ts';
import type { ScopedReader } from '../../domain/governance/scoped-reader.ts';
import type { KnowledgeRow } from '../../stores/postgres/knowledge/rows.store.ts';
import type { ObservationStatusRow } from '../../stores/postgres/observations/messages.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import { defineOperation } from '../operation.ts';
import { waitUntilSettled } from './settlement-waiter.ts';
import { maySee, readableScopeIds, statusFields, waitField } from './status-fields.ts';
import { ownScopedReader } from '../access/own-reader.ts';

const input = z.object({
  message_id: z
    .uuid()
    .describe(
      'The `message_id` that `POST /api/v1/ingest` returned. A value that is not a UUID does not exist.',
    ),
  wait_ms: waitField,
});

const output = z.object({ message_id: z.uuid(), ...statusFields });

type Status = z.input<typeof output>;

/** The statements that were drawn from the message, as far as the caller reads them. */
function statementsOf(
  { knowledge }: Stores,
  messageId: string,
  own: ScopedReader,
  scopeIds: readonly string[],
): Promise<readonly KnowledgeRow[]> {
  const query = {
    scopeIds,
    reader: own.reader,
    at: new Date().toISOString(),
  };
  return knowledge.read({
    selection: { by: 'source', messageId },
    visible: visibleByDefault(query),
    replaced: visibleInState('superseded', query, []),
    reader: own,
  });
}

function statusOf(
  messageId: string,
  row: ObservationStatusRow,
  knowledge: readonly KnowledgeRow[],
): Status {
  return {
    message_id: messageId,
    status: row.status,
    extraction_completed_at: row.completed_at,
    knowledge: knowledge.map((statement) => ({ ...statement })),
    last_error_class: row.last_error_class,
    attempt_count: row.attempt_count,
    next_attempt_at: row.next_attempt_at,
  };
}

export const readIngestStatus = defineOperation({
  id: 'observation.status',
  access: 'any_identity',
  effect: 'read',
  summary: 'Read the status of an observation and its statements',
  description:
    'The speaker, the participants of the session and the relaying peer may read the status. So may curators and administrators of the scope.',
  refusals: ['not_found'],
  input,
  output,
  async run(context, { message_id: messageId, wait_ms: waitMs }) {
    const { caller, inAccount, isSettled } = context;
    const { accountId } = caller;
    const own = ownScopedReader(caller);
    const read = (): Promise<Status> =>
      inAccount(
        accountId,
        async (stores) => {
          const row = await stores.messages.status(messageId, own);
          if (row === null || !maySee(caller, row)) throw new Refusal('not_found');
          const knowledge =
            row.status === 'completed'
              ? await statementsOf(stores, messageId, own, readableScopeIds(caller, row))
              : [];
          return statusOf(messageId, row, knowledge);
        },
        { readOnly: true },
      );

    const status = await read();
    if (waitMs === 0 || (status.status !== 'pending' && status.status !== 'failed')) return status;
    await waitUntilSettled(context, () => isSettled(accountId, messageId), waitMs);
    return read();
  },
});
