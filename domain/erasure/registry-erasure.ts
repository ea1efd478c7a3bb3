/** Tables of erasures themselves; see `registry.ts`. */
import { words, type RegisteredTable } from './registered-table.ts';

export const ERASURE_TABLES: Readonly<Record<string, RegisteredTable>> = {
  erasure_blobs: {
    content: words('sha256'),
    id: words('erasure_id'),
    neither: words('account_id deleted_at'),
    goes: { step: 'blobs', verifiedBy: 'erasure_blobs.sha256' },
  },
  erasure_requests: {
    content: words('access_hash receipt'),
    id: words('id peer_id'),
    neither: [
      ...words(
        'account_id mode state access_until erased requested_at first_verified_at completed_at',
      ),
    ],
    goes: { stays: 'The request itself: its end takes the peer off it, the receipt names nobody.' },
  },
  erasure_units: {
    content: [],
    id: words('erasure_id unit_id'),
    neither: words('account_id unit stays'),
    goes: { with: 'erasure_requests' },
  },
};
