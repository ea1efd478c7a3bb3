/** Tables that travel: the account, its places and its people; see `tables.ts`. */
import { words } from '../erasure/registered-table.ts';
import { RULE_COLUMN_NAMES } from '../governance/rule-columns.ts';
import { keyedBy, keyedById, keyedByIds, type TravellingTable } from './travelling-table.ts';

/** In order of dependency. */
export const IDENTITY_TABLES = {
  accounts: keyedBy([], {
    account: 'id',
    columns: words('key name gate_preset consent_mode created_at secret_policy'),
    left: { imported_at: 'made', is_rebuilding: 'made' },
  }),
  scopes: keyedById({
    columns: words('id path parent_id created_at'),
    left: { path_hash: 'made', name: 'made' },
  }),
  scope_links: keyedByIds(['low_scope_id', 'high_scope_id'], {
    columns: words('low_scope_id high_scope_id created_at'),
  }),
  // The salt travels with the contents that it belongs to: an erasure takes it away here too.
  peers: keyedById({
    columns: words('id key name kind created_at erasing_at audit_salt'),
    left: { name_lead: 'made', key_lead: 'made' },
  }),
  grants: keyedBy([{ column: 'id', type: 'uuid' }], {
    columns: words('id peer_id scope_path role effect propagate granted_by created_at'),
    left: { credential_id: 'default', scope_path_hash: 'made' },
    selections: [{ key: [{ column: 'id', type: 'uuid' }], only: 'of_peers' }],
  }),
  circles: keyedById({ columns: words('id scope_id name created_at') }),
  circle_members: keyedByIds(['circle_id', 'peer_id'], {
    columns: words('circle_id peer_id added_by_peer_id added_at'),
    left: { scope_id: 'made' },
  }),
  // The digest is made with a key of the deployment.
  audiences: keyedById({ columns: words('id scope_id'), left: { digest: 'default' } }),
  audience_members: keyedBy(
    [
      { column: 'audience_id', type: 'uuid' },
      { column: 'principal', type: 'text' },
    ],
    { columns: words('audience_id principal') },
  ),
  gate_rules: keyedById({
    columns: [...words('id scope_id created_at retired_at'), ...RULE_COLUMN_NAMES],
  }),
  skill_cards: keyedById({
    columns: [
      ...words('id scope_id skill version requirement_schema_version description'),
      ...words('requirements content_hash published_at retired_at'),
    ],
  }),
  retrieval_profiles: keyedById({
    columns: words('id profile scope_id strategies deadline_ms rrf_k rerank set_at'),
  }),
  extraction_budgets: keyedById({
    columns: [
      ...words('id scope_root request_cap token_cap usd_micros_cap deadline_at'),
      ...words('input_usd_micros_per_million output_usd_micros_per_million requests_reserved'),
      ...words('tokens_reserved usd_micros_reserved closed_at created_at'),
    ],
    left: { scope_root_hash: 'made' },
  }),
} as const satisfies Readonly<Record<string, TravellingTable>>;
