/** Document versions of one uploader on an observation scene. Faked: the parser, and where the bytes lie. */
import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Mailbox } from '../../../domain/actors/names.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import { DocumentFailure } from '../../../engine/documents/failure.ts';
import {
  createDocumentReader,
  type DocumentReader,
  type DocumentReaderDeps,
} from '../../../engine/documents/reader.ts';
import type { RunRef } from '../../../domain/pipeline/run-kinds.ts';
import { DocumentSettleStore } from '../../../stores/postgres/documents/settle.store.ts';
import { DocumentVersionsStore } from '../../../stores/postgres/documents/versions.store.ts';
import { submitDocument } from '../../../operations/documents/submit.ts';
import { withdrawDocument } from '../../../operations/documents/withdraw.ts';
import { execute } from '../../../operations/execute.ts';
import type { RequestContext } from '../../../operations/operation.ts';
import type { Scene } from '../observations/scene.ts';

export const never = new AbortController().signal;

export interface SubmittedDocument {
  readonly outcome: 'accepted' | 'unchanged';
  readonly documentId: string;
  readonly versionId: string;
  readonly externalId: string;
  /** The latest run of the version. */
  readonly run: RunRef;
  /** Puts the bytes where the reader looks. */
  readonly keep: () => void;
}

export interface Documents {
  /** Mailboxes that readers rang. */
  readonly rung: readonly Mailbox[];
  /** One passage for each line; a line `!` cannot be read. */
  reader(parse?: DocumentReaderDeps['parse']): DocumentReader;
  /** Hands text in, as a document of its own unless named. */
  submitted(text: string, externalId?: string): Promise<SubmittedDocument>;
  /** Withdraws a document that was uploaded; answers the version that does and its run. */
  withdrawn(documentId: string): Promise<{
    readonly versionId: string;
    readonly hasRun: boolean;
    readonly run: RunRef;
  }>;
}

const lines: DocumentReaderDeps['parse'] = async ({ bytes }) => {
  const texts = Buffer.from(bytes).toString('utf8').split('\n');
  if (texts.includes('!')) throw new DocumentFailure('source_too_large');
  return texts.map((text) => ({ text, headings: ['A', 'B'] }));
};

export function documentsOf(scene: Scene, uploader: Caller): Documents {
  const { accountId } = uploader;
  const rung: Mailbox[] = [];
  const blobs = new Map<string, Uint8Array>();

  const runOf = async (versionId: string): Promise<RunRef> => {
    const [row] = await scene.rows(
      'select id from pipeline_runs where target_id = $1 order by id desc limit 1',
      [versionId],
    );
    return { accountId, runId: String(row?.['id']) };
  };

  const context = (): RequestContext => ({
    ...scene.context(uploader),
    blobs: {
      get: async () => null,
      put: async () => {},
      delete: async () => {},
      deleteDraft: async () => {},
    },
    sweep: { soon: () => {} },
  });

  return {
    rung,
    reader: (parse = lines) =>
      createDocumentReader({
        versions: new DocumentVersionsStore(scene.pool),
        settling: new DocumentSettleStore(scene.pool),
        blobs: { get: async ({ sha256 }) => blobs.get(sha256) ?? null },
        newId: uuidv7,
        parse,
        ring: (mailbox) => void rung.push(mailbox),
      }),
    async submitted(text, externalId = uuidv7()) {
      const bytes = Buffer.from(text);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const upload = {
        scope_path: '/team',
        external_id: externalId,
        media_type: 'text/plain',
        content_base64: bytes,
        occurred_at: '2024-05-01T10:00:00.000Z',
      };
      const answer = await execute(submitDocument, context(), upload);
      const { document_id: documentId, document_version_id: versionId, status: outcome } = answer;
      const run = await runOf(versionId);
      const keep = (): void => void blobs.set(sha256, bytes);
      return { outcome, documentId, versionId, externalId, run, keep };
    },
    async withdrawn(documentId) {
      let hasRun = false;
      const sweep = { soon: () => void (hasRun = true) };
      const answer = await execute(
        withdrawDocument,
        { ...context(), sweep },
        { document_id: documentId },
      );
      const versionId = answer.document_version_id;
      return { versionId, hasRun, run: await runOf(versionId) };
    },
  };
}
