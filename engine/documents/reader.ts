/**
 * Reads a document version: its bytes become chunks, each an observation with an anchor of its own. Once all of
 * them are extracted, statements that only earlier versions attest are superseded.
 */
import { createHash } from 'node:crypto';
import type { Mailbox } from '../../domain/actors/names.ts';
import { planRevision } from '../../domain/knowledge/planning.ts';
import type { RunRef } from '../../domain/pipeline/run-kinds.ts';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import type { DocumentSettleStore } from '../../stores/postgres/documents/settle.store.ts';
import type {
  DocumentVersionsStore,
  NewChunk,
} from '../../stores/postgres/documents/versions.store.ts';
import { planContext } from '../knowledge/context.ts';
import { commitRows } from '../knowledge/rows.ts';
import type { Chunk } from './chunks.ts';
import { DocumentFailure } from './failure.ts';

export interface DocumentReaderDeps {
  readonly versions: DocumentVersionsStore;
  readonly settling: DocumentSettleStore;
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly newId: () => string;
  /** Throws `DocumentFailure` for what cannot be read. */
  readonly parse: (
    question: { readonly bytes: Uint8Array; readonly mediaType: string },
    signal: AbortSignal,
  ) => Promise<readonly Chunk[]>;
  /** Called after a commit that left work in a mailbox. */
  readonly ring: (mailbox: Mailbox) => void;
}

export interface DocumentReader {
  /**
   * Parses the version of the run and keeps its chunks; answers how many there are. Throws `DocumentFailure` when
   * the version can never be parsed. The class of a failure is kept with the version.
   */
  parse(run: RunRef, signal: AbortSignal): Promise<{ readonly chunks: number }>;
  /** One page of the work after extraction. `more` says that another page is due at once. */
  settle(run: RunRef): Promise<{
    readonly pending: number;
    readonly superseded: number;
    readonly more: boolean;
  }>;
}

const PAGE_ROWS = 200;

function newChunk({ text, headings }: Chunk, newId: () => string): NewChunk {
  return {
    id: newId(),
    text,
    sha256: createHash('sha256').update(text, 'utf8').digest('hex'),
    headings: headings.length === 0 ? null : headings.join('\n'),
  };
}

/** A document that was not read in time so often is too large, not the machine too busy. */
const MOST_LATE_PARSES = 5;

/** What an attempt that failed says of the document. */
function failureOf(error: unknown, attempts: number): unknown {
  const isLate = error instanceof DocumentFailure && error.errorClass === 'request_timeout';
  return isLate && attempts >= MOST_LATE_PARSES
    ? new DocumentFailure('source_too_large', { cause: error })
    : error;
}

/** The blob store has no bytes for a version: it is away, or it is not the store that they were put into. */
class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
}

async function bytesOf(deps: DocumentReaderDeps, accountId: string, sha256: string) {
  const bytes = await deps.blobs.get({ accountId, sha256 });
  if (bytes === null) throw new BlobMissingError();
  return bytes;
}

/** `pageRows` is the most statements of one transaction. */
export function createDocumentReader(
  deps: DocumentReaderDeps,
  pageRows = PAGE_ROWS,
): DocumentReader {
  const { newId, ring, settling, versions } = deps;
  return {
    async parse({ accountId, runId }, signal) {
      const version = await versions.begin(accountId, runId);
      if (version === null || version.unread === null) return { chunks: 0 };
      const { shard, unread, version_id: versionId } = version;
      const { media_type: mediaType, sha256 } = unread;
      try {
        const bytes = await bytesOf(deps, accountId, sha256);
        const chunks = await deps.parse({ bytes, mediaType }, signal);
        const rows = chunks.map((chunk) => newChunk(chunk, newId));
        const kept = await versions.addChunks(accountId, versionId, rows);
        ring({ accountId, kind: 'ingest', shard });
        ring({ accountId, kind: 'projection', shard });
        return { chunks: kept };
      } catch (error) {
        const failure = failureOf(error, version.attempts);
        if (!signal.aborted) {
          const known = failure instanceof DocumentFailure ? failure.errorClass : 'internal_error';
          await versions.failed(accountId, versionId, known);
        }
        throw failure;
      }
    },
    async settle({ accountId, runId }) {
      let superseded = 0;
      const { more, pending, shard, work } = await settling.page(
        { accountId, runId, limit: pageRows },
        (state) => {
          const { now } = state;
          const plan = planRevision(
            state.revision,
            state.statements,
            planContext(state.scopes, state, newId),
          );
          superseded = plan.transitions.filter(
            ({ reason }) => reason === 'document_revised',
          ).length;
          const rows = { shard: state.shard, now, newId, batchOf: () => null };
          return commitRows(plan, [], rows);
        },
      );
      for (const kind of work) ring({ accountId, kind, shard });
      return { pending, superseded, more };
    },
  };
}
