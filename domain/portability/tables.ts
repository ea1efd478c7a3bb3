/**
 * What an archive of an account takes along and what it leaves behind. A test compares both with the registry of
 * erasure, which knows every column of every table: a table in neither list fails it, and so does a column of a table
 * that travels which neither travels nor is named as left behind, with its value after an import.
 */
import { words } from '../erasure/registered-table.ts';
import { IDENTITY_TABLES } from './tables-identity.ts';
import { SOURCE_TABLES } from './tables-sources.ts';
import { STATEMENT_TABLES } from './tables-statements.ts';
import { keyedBy, keyedById, type TravellingTable } from './travelling-table.ts';

/** Receipts, and the audit log, which proves itself at its end. */
const PROOF_TABLES = {
  erasure_requests: keyedById({
    columns: [
      ...words('id peer_id mode state erased requested_at first_verified_at completed_at receipt'),
    ],
    left: { access_hash: 'default', access_until: 'default' },
  }),
  audit_events: keyedById({
    columns: [
      ...words('id category action actor_kind actor_peer_id credential_id resource_type'),
      ...words('resource_id metadata content_hash occurred_at chain_position chain_hash'),
    ],
    selections: [
      { only: 'sealed', key: [{ column: 'chain_position', type: 'bigint' }] },
      { only: 'unsealed', key: [{ column: 'id', type: 'uuid' }] },
    ],
  }),
  audit_chains: keyedBy([], { columns: words('position hash sealed_at sealed_until') }),
} as const satisfies Readonly<Record<string, TravellingTable>>;

const TABLES = {
  ...IDENTITY_TABLES,
  ...SOURCE_TABLES,
  ...STATEMENT_TABLES,
  ...PROOF_TABLES,
} as const satisfies Readonly<Record<string, TravellingTable>>;

export type TravellingName = keyof typeof TABLES;

/** The tables that travel, in order of dependency: rows name rows of earlier tables, or of their own. */
export const TRAVELLING: Readonly<Record<TravellingName, TravellingTable>> = TABLES;

export const TRAVELLING_NAMES: readonly TravellingName[] = Object.keys(TABLES).filter(
  (name): name is TravellingName => name in TABLES,
);

/** The tables that stay behind, each with the reason. */
export const LEFT_BEHIND: Readonly<Record<string, string>> = {
  activity_entries: 'Made by the database from what the account holds.',
  browser_sessions: 'People sign in again.',
  credentials: 'A key works where it was given out; one revoked credential stands for all.',
  dirty_marks: 'The indexes are written from the beginning.',
  document_uploads: 'An upload under way has brought nothing yet.',
  entity_mentions: 'Made again with the indexes.',
  erasure_blobs: 'The work list of an erasure; no archive is made while one works.',
  erasure_units: 'The work list of an erasure; no archive is made while one works.',
  idempotency_records: 'They belong to keys that stay behind.',
  index_marks: 'What the indexes of the deployment were told.',
  indexed_units: 'Made again with the indexes.',
  knowledge_addressees: 'Made by the database from statements and audiences.',
  logins: 'Passwords and addresses stay; an operator gives people a new login.',
  mailboxes: 'Made by the import.',
  pipeline_runs: 'Work of the deployment; the import enters what has to go on.',
  projection_marks: 'Made by the database from statements and sources.',
  projection_work: 'Made again from marks.',
  projections: 'Made again from statements.',
  provider_attempts: 'The ledger of the deployment that made the calls.',
  provider_circuits: 'The state of the providers of the deployment.',
  pruned_scopes: 'What is gone from a ledger that stays behind as a whole.',
  request_days: 'What was asked of the deployment.',
  retention_tallies: 'Work of the deployment.',
  reconcile_places: 'Up to where the deployment has compared.',
  run_outputs: 'Work of the deployment.',
  schema_migrations: 'The schema of the deployment.',
  scope_names: 'Made again with the indexes.',
  scope_terms: 'Made again with the indexes.',
  scope_units: 'Made again with the indexes.',
  sign_in_attempts: 'They belong to no account.',
  speaker_turns: 'Work of the deployment.',
  sweep_passes: 'Work of the deployment.',
  sweep_setbacks: 'Work of the deployment.',
  token_days: 'What the deployment has spent.',
  usage_days: 'The ledger of the deployment that made the calls.',
  usage_entries: 'The ledger of the deployment that made the calls.',
  usage_scope_days: 'The ledger of the deployment that made the calls.',
  usage_totals: 'Counted anew from what the archive holds.',
  vector_spaces: 'The indexes of the deployment.',
};
