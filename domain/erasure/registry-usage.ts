/** Tables of what accounts used; see `registry.ts`. */
import { words, type RegisteredTable } from './registered-table.ts';

const CALLS = words(
  'calls errors unmetered input_tokens output_tokens embedding_tokens reranker_tokens',
);
const HELD = words('messages message_bytes statements statement_bytes version_bytes ledger_rows');
const goes = { stays: 'Sums of an account by day: nothing of a person.' } as const;

export const USAGE_TABLES: Readonly<Record<string, RegisteredTable>> = {
  usage_entries: {
    content: [],
    id: [],
    neither: [
      ...words('account_id id day role provider model scope_id ledger_rows'),
      ...CALLS,
      'duration_ms',
    ],
    goes,
  },
  activity_entries: {
    content: [],
    id: [],
    neither: [...words('account_id id day api_requests ingests recorded'), ...HELD],
    goes,
  },
  usage_days: {
    content: [],
    id: [],
    neither: [...words('account_id day role provider model'), ...CALLS, 'duration_ms'],
    goes,
  },
  usage_scope_days: {
    content: [],
    id: [],
    neither: [...words('account_id day scope_id role provider model'), ...CALLS],
    goes,
  },
  request_days: {
    content: [],
    id: [],
    neither: words('account_id day api_requests ingests recorded'),
    goes,
  },
  usage_totals: {
    content: [],
    id: [],
    neither: ['account_id', ...HELD, 'pruned_before'],
    goes,
  },
};
