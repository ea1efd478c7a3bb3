/** Tables of the deployment, which belong to no account; see `registry.ts`. */
import type { RegisteredTable } from './registered-table.ts';

export const DEPLOYMENT_TABLES: Readonly<Record<string, RegisteredTable>> = {
  sweep_passes: {
    content: [],
    id: [],
    neither: ['kind', 'installed_at', 'completed_at', 'failed_accounts'],
    goes: { stays: 'Times and a count: nothing of a person.' },
  },
  index_marks: {
    content: [],
    id: [],
    neither: ['engine', 'current', 'pending', 'pending_at', 'lost_at', 'claimed_until'],
    goes: { stays: 'Random marks of the search indexes: nothing of a person.' },
  },
  vector_spaces: {
    content: [],
    id: [],
    neither: [
      'collection',
      'dimensions',
      'state',
      'created_at',
      'ready_at',
      'claimed_by',
      'claimed_until',
    ],
    goes: { stays: 'Names of collections and a random id of a process: nothing of a person.' },
  },
};
