/** The activities of the lane `documents`, on the container's pool, blob store and doorbell. */
import { v7 as uuid } from 'uuid';
import type { DocumentActivities } from '../../activities/contracts.ts';
import { createDocumentActivities } from '../../activities/documents.ts';
import { parseApart } from '../../engine/documents/parse-apart.ts';
import { createDocumentReader } from '../../engine/documents/reader.ts';
import { DocumentSettleStore } from '../../stores/postgres/documents/settle.store.ts';
import { DocumentVersionsStore } from '../../stores/postgres/documents/versions.store.ts';
import type { BlobStore } from '../../stores/blobs/blob-store.ts';
import type { Queryable } from '../../stores/postgres/pool.ts';
import type { Doorbell } from '../actors/doorbell.ts';

export interface DocumentLaneDependencies {
  readonly db: Queryable;
  readonly blobs: BlobStore;
  readonly doorbell: Pick<Doorbell, 'ring'>;
}

export function buildDocumentActivities(
  dependencies: DocumentLaneDependencies,
): DocumentActivities {
  const { db, blobs, doorbell } = dependencies;
  return createDocumentActivities({
    reader: createDocumentReader({
      versions: new DocumentVersionsStore(db),
      settling: new DocumentSettleStore(db),
      blobs,
      newId: uuid,
      parse: (question, signal) => parseApart(question, signal),
      ring: (mailbox) => doorbell.ring(mailbox),
    }),
  });
}
