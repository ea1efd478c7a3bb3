/**
 * Withdraws a document. Statements that only its versions attest are superseded; its versions and their bytes stay
 * as they are, for lineage. A document that is uploaded again becomes a version after the withdrawal.
 */
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { Refusal } from '../../domain/errors.ts';
import { mayWriteAt } from '../../domain/identity/caller.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';
import { auditActor } from '../audit-actor.ts';
import { defineOperation } from '../operation.ts';

export const withdrawDocument = defineOperation({
  id: 'document.withdraw',
  access: 'any_identity',
  effect: 'destroy',
  summary: 'Withdraw a document',
  description:
    'A caller who may upload a version of the document may withdraw it. The service supersedes the statements that only its versions attest, and removes its text from the indexes. It keeps the versions and their bytes: a withdrawal is not an erasure. If the document is already withdrawn, the answer is the same. A later upload becomes a new version, even with the same bytes.',
  refusals: ['forbidden', 'not_found'],
  input: z.object({
    document_id: z.uuid().describe('The `document_id` that the upload returned.'),
  }),
  output: z.object({
    document_id: z.uuid(),
    document_version_id: z
      .uuid()
      .describe(
        'The version that records the withdrawal. It has no bytes. Its status says when the withdrawal is complete.',
      ),
    status: z.literal('withdrawn'),
  }),
  async run({ caller, inAccount, sweep, traceId }, { document_id: documentId }) {
    const { accountId, credentialId, peerId } = caller;
    // A peer answers for a withdrawal, as for a version. The refusal is the same for every id.
    if (peerId === null) throw new Refusal('forbidden');
    const by = { credentialId, uploaderPeerId: peerId, traceId };
    const { hasRun, versionId } = await inAccount(accountId, async (stores) => {
      const document = await stores.documents.find(documentId);
      const path = document === null ? null : parseScopePath(document.scope_path);
      if (document === null || path === null || !mayWriteAt(caller, path)) {
        throw new Refusal('not_found');
      }
      const {
        external_id: externalId,
        owner_peer_id: ownerPeerId,
        unnamed_sha256: sha256,
      } = document;
      await stores.documents.lock({ ownerPeerId, scopePath: path, externalId, sha256 });
      const last = await stores.documents.last(documentId);
      if (last.is_withdrawal) {
        const { version_id: targetId, is_left: isLeft } = last;
        if (isLeft) await stores.runs.enter({ kind: 'document', traceId, targetId });
        return { versionId: targetId, hasRun: isLeft };
      }
      await stores.documents.closeUnread(documentId);
      const place = { documentId, versionId: uuidv7(), version: last.version + 1 };
      await stores.documents.addWithdrawal(place, by);
      await stores.runs.enter({ kind: 'document', traceId, targetId: place.versionId });
      await stores.audit.record({
        category: 'lifecycle',
        action: 'document.withdrawn',
        actor: auditActor(caller),
        resourceType: 'document',
        resourceId: documentId,
        metadata: { version: place.version, version_id: place.versionId },
      });
      return { versionId: place.versionId, hasRun: true };
    });
    if (hasRun) sweep.soon();
    return {
      document_id: documentId,
      document_version_id: versionId,
      status: 'withdrawn' as const,
    };
  },
});
