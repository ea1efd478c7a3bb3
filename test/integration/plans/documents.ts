/** Documents, from their upload to their withdrawal. */
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { visibleByDefault } from '../../../domain/governance/visibility.ts';
import { DocumentSettleStore } from '../../../stores/postgres/documents/settle.store.ts';
import { DocumentVersionsStore } from '../../../stores/postgres/documents/versions.store.ts';
import { path } from '../observations/scene.ts';
import { seedId } from './seed.ts';
import {
  ON_THE_RECORD,
  ACCOUNT,
  CREDENTIAL,
  HOT,
  NOW,
  READERS,
  everywhere,
  inLarge,
  type Scenario,
} from './stage.ts';

export const DOCUMENTS: readonly Scenario[] = [
  {
    name: 'a document handed in, read, settled, asked after and withdrawn',
    async run(stage) {
      const { pool } = stage.scene;
      const known = {
        ownerPeerId: seedId('peer', 7),
        scopePath: path('/hot'),
        externalId: 'document-7',
      };
      const added = {
        credentialId: CREDENTIAL,
        uploaderPeerId: seedId('peer', 1),
        title: null,
        audience: null,
        mediaType: 'text/plain',
        sha256: randomBytes(32).toString('hex'),
        byteSize: 10,
        occurredAt: NOW,
        occurredOffsetMinutes: 0,
        traceId: 'ab'.repeat(16),
      };
      const versionId = uuidv7();
      await inLarge(stage, async ({ documents, runs, scopes, uploads }) => {
        await documents.lock({ ...known, sha256: added.sha256 });
        await documents.latestBeside({ ...known, ...added });
        const scopeId = await scopes.ensureChain(known.scopePath);
        const fresh = { ...known, externalId: uuidv7(), sha256: added.sha256 };
        const documentId = await documents.create(scopeId, fresh);
        const upload = { id: uuidv7(), sha256: added.sha256, uploaderPeerId: added.uploaderPeerId };
        await uploads.begin(upload);
        await uploads.end(upload.id);
        await uploads.begin(upload);
        const blobs = { delete: async () => {}, deleteDraft: async () => {} };
        await uploads.abandon(upload, blobs);
        await uploads.deleteErased(upload.sha256, blobs);
        await uploads.stale({ olderThanMs: 0, limit: 100 });
        await documents.addVersion({ documentId, versionId, version: 1 }, added);
        await runs.enter({ kind: 'document', traceId: added.traceId, targetId: versionId });
        await documents.ofVersion(versionId);
      });
      const [run] = await stage.scene.rows('select id from pipeline_runs where target_id = $1', [
        versionId,
      ]);
      const runId = String(run?.['id']);
      const reading = stage.called.noting(
        'documents/versions.store',
        new DocumentVersionsStore(pool),
      );
      await reading.begin(ACCOUNT, runId);
      const chunk = {
        id: uuidv7(),
        text: 'x',
        sha256: randomBytes(32).toString('hex'),
        headings: null,
      };
      await reading.addChunks(ACCOUNT, versionId, [chunk]);
      await reading.failed(ACCOUNT, versionId, 'internal_error');
      await stage.scene.rows(
        `update extraction_anchors set status = 'completed', completed_at = now() where message_id = $1`,
        [chunk.id],
      );
      await inLarge(stage, async ({ documents }) => {
        await documents.latestBeside({ ...known, ...added });
        await documents.reopen(versionId);
      });
      const nothing = { writes: { updated: [], created: [], closed_beliefs: [] }, audit: [] };
      await stage.called
        .noting('documents/settle.store', new DocumentSettleStore(pool))
        .page({ accountId: ACCOUNT, runId, limit: 50 }, () => nothing as never)
        .catch(() => undefined);
      const reader = READERS['whom a tenth is about'] ?? { posture: 'internal' };
      await inLarge(stage, async ({ audit, documents, documentStatus, knowledge, runs }) => {
        await documentStatus.ofVersion(versionId, reader);
        const selection = {
          by: 'document_version',
          versionId: seedId('version', 9),
          limit: 50,
        } as const;
        const visible = visibleByDefault({ scopeIds: HOT, reader, at: NOW });
        await knowledge.read({ selection, visible, reader: everywhere(reader) });
        const documentId = seedId('document', 8);
        await documents.find(documentId);
        const { version } = await documents.last(documentId);
        await documents.closeUnread(documentId);
        const place = { documentId, versionId: uuidv7(), version: version + 1 };
        await documents.addWithdrawal(place, added);
        await audit.record(ON_THE_RECORD);
        const { traceId } = added;
        await runs.enter({ kind: 'document', traceId, targetId: place.versionId });
      });
    },
  },
];
