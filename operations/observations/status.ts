/**
 * What became of an observation. Visible to peers who were there when it was said, and to curators and admins of
 * its scope; for every other caller it does not exist.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { visibleByDefault, visibleInState } from '../../domain/governance/visibility.ts';
import type { ObservationStatusRow } from '../../stores/postgres/messages.store.ts';
import { defineOperation } from '../operation.ts';
import { waitUntilSettled } from './settlement-waiter.ts';
import { maySee, readableScopeIds, statusFields, waitField } from './status-fields.ts';
import { ownScopedReader } from '../own-reader.ts';

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

export const readIngestStatus = defineOperation({
  id: 'observation.status',
  access: 'any_identity',
  effect: 'read',
  summary: 'Read the status of an observation and its statements',
  description:
    'The peers who were there when it was said may read the status. So may curators and administrators of the scope.',
  refusals: ['not_found'],
  input,
  output,
  async run(context, { message_id: messageId, wait_ms: waitMs }) {
    const { caller, inAccount, isSettled } = context;
    const { accountId } = caller;
    const own = ownScopedReader(caller);
    const { reader } = own;
    const visibleStatus = async (): Promise<ObservationStatusRow> => {
      const row = await inAccount(accountId, ({ messages }) => messages.status(messageId, own));
      if (row === null || !maySee(caller, row)) throw new Refusal('not_found');
      return row;
    };

    let row = await visibleStatus();
    if (waitMs > 0 && (row.status === 'pending' || row.status === 'failed')) {
      await waitUntilSettled(context, () => isSettled(accountId, messageId), waitMs);
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
    const query = {
      scopeIds: readableScopeIds(caller, row),
      reader,
      at: new Date().toISOString(),
    };
    const knowledge = await inAccount(accountId, (stores) =>
      stores.knowledge.read({
        selection: { by: 'source', messageId },
        visible: visibleByDefault(query),
        replaced: visibleInState('superseded', query, []),
        reader: own,
      }),
    );
    return { ...status, knowledge: knowledge.map((row) => ({ ...row })) };
  },
});
