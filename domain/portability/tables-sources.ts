/** Tables that travel: documents, sessions and messages; see `tables.ts`. */
import { words } from '../erasure/registered-table.ts';
import { keyedById, keyedByIds, type TravellingTable } from './travelling-table.ts';

/** In order of dependency. */
export const SOURCE_TABLES = {
  documents: keyedById({
    columns: words('id scope_id external_id unnamed_sha256 created_at owner_peer_id'),
  }),
  document_versions: keyedById({
    columns: [
      ...words('id document_id version sha256 byte_size media_type title occurred_at'),
      ...words('occurred_offset_minutes uploader_peer_id trace_id recorded_at attempt_count'),
      ...words('last_error_class chunk_count parsed_at settled_at is_withdrawal audience_id'),
    ],
    left: { credential_id: 'archive_credential_of_uploader' },
  }),
  sessions: keyedById({ columns: words('id external_id shard created_at document_id') }),
  session_scopes: keyedByIds(['session_id', 'scope_id'], {
    columns: words('session_id scope_id linked_at'),
  }),
  session_participants: keyedByIds(['session_id', 'scope_id', 'peer_id'], {
    columns: words('session_id scope_id peer_id joined_at reads_whole_session'),
  }),
  messages: keyedById({
    columns: [
      ...words('id session_id scope_id speaker_peer_id relay_peer_id role content content_hash'),
      ...words('occurred_at occurred_offset_minutes recorded_at trace_id document_version_id'),
      ...words('chunk_index headings audience_id unmasked is_served'),
    ],
    left: { credential_id: 'archive_credential' },
  }),
  // An attempt that failed is made again; what a drain or a requeue had hold of is free.
  extraction_anchors: keyedByIds(['message_id'], {
    columns: [
      ...words('message_id session_id scope_id shard status last_error_class candidate_count'),
      ...words('extracted_at completed_at speaker_peer_id'),
    ],
    left: {
      available_at: 'default',
      claim_epoch: 'default',
      attempt_count: 'default',
      batch_id: 'default',
      requeue_token: 'default',
      unsettled_attempts: 'default',
      internal_errors: 'default',
      failed_at: 'default',
    },
    references: { session_id: 'sessions', scope_id: 'scopes', speaker_peer_id: 'peers' },
  }),
} as const satisfies Readonly<Record<string, TravellingTable>>;
