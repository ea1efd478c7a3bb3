/** Tables of the audit log and its chains; see `registry.ts`. */
import { words, type RegisteredTable } from './registered-table.ts';

export const AUDIT_TABLES: Readonly<Record<string, RegisteredTable>> = {
  audit_chains: {
    content: [],
    id: [],
    neither: words('account_id position hash sealed_at sealed_until'),
    goes: { stays: 'The end of a chain of digests over ids and codes: nothing of a person.' },
  },
  audit_events: {
    content: words('content_hash'),
    id: words('id actor_peer_id credential_id resource_id metadata'),
    neither: [
      ...words('account_id category action actor_kind resource_type occurred_at'),
      ...words('chain_position chain_hash'),
    ],
    goes: { stays: 'Append-only, and proved as a whole: ids and digests, never a text.' },
  },
};
