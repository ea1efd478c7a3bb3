/**
 * Withdraws a document. What only it says comes to its end; its versions and their bytes stay as they are, for
 * lineage. Handed in again, it is taken in as a version after the withdrawal.
 */
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { mayWriteAt } from '../../domain/identity/caller.ts';
import { defineOperation } from '../operation.ts';

export const withdrawDocument = defineOperation({
  id: 'document.withdraw',
  access: 'any_identity',
  effect: 'destroy',
  summary: 'Withdraw a document',
  description:
    'For whoever may hand in a version of it. What only its versions say is superseded, and its text leaves the search indexes; versions and bytes are kept, this is no erasure. A document that is withdrawn already gets the same answer. The same or other bytes that are handed in later are a new version.',
  refusals: ['forbidden', 'not_found'],
  input: z.object({
    document_id: z.uuid().describe('The `document_id` that the submission answered.'),
  }),
  output: z.object({
    document_id: z.uuid(),
    document_version_id: z
      .uuid()
      .describe(
        'The version that withdraws it. It has no bytes; its status says when all of it has come to its end.',
      ),
    status: z.literal('withdrawn'),
  }),
  async run({ caller, services: { documents }, traceId }, { document_id: documentId }) {
    const { accountId, credentialId, peerId } = caller;
    // Somebody answers for a withdrawal, as for a version. Said of every id alike.
    if (peerId === null) throw new Refusal('forbidden');
    const { hasRun, versionId } = await documents.withdraw(
      { accountId, documentId, credentialId, peerId, traceId },
      (path) => mayWriteAt(caller, path),
    );
    if (hasRun) documents.startSoon();
    return {
      document_id: documentId,
      document_version_id: versionId,
      status: 'withdrawn' as const,
    };
  },
});
