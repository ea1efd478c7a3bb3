/** What agents send: observations and documents. */
import { MOST_DOCUMENT_BYTES } from '../../../operations/documents/submit.ts';
import type { Route } from '../route.ts';

/** A document of 32 MiB in base64, and the JSON around it. */
const MOST_DOCUMENT_BODY_BYTES = 44 * 1_048_576;

/** A document with the same bytes makes no new version: 200 instead of 202. */
function uploadStatus(answer: unknown): number {
  return Reflect.get(Object(answer), 'status') === 'unchanged' ? 200 : 202;
}

export const OBSERVATION_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/api/v1/ingest',
    operation: 'ingestObservation',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/ingest/batch',
    operation: 'ingestBatch',
    countedList: 'observations',
    status: 202,
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/ingest/:message_id',
    operation: 'readIngestStatus',
    query: { wait_ms: 'integer' },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'POST',
    path: '/api/v1/documents',
    operation: 'submitDocument',
    bodyLimitBytes: MOST_DOCUMENT_BODY_BYTES,
    file: { field: 'content_base64', mostBytes: MOST_DOCUMENT_BYTES },
    status: { possible: [200, 202], of: uploadStatus },
    envelope: 'data',
  },
  {
    method: 'GET',
    path: '/api/v1/documents/:id',
    pathFields: { id: 'document_version_id' },
    operation: 'readDocumentStatus',
    query: { wait_ms: 'integer' },
    status: 200,
    envelope: 'data',
  },
  {
    method: 'DELETE',
    path: '/api/v1/documents/:id',
    pathFields: { id: 'document_id' },
    operation: 'withdrawDocument',
    status: 202,
    envelope: 'data',
  },
];
