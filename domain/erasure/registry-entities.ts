/** The tables of names of statements: a part of the registry of erasure. */
import type { RegisteredTable } from './registered-table.ts';

type Tables = 'entity_mentions' | 'scope_names';

export const ENTITY_TABLES: Readonly<Record<Tables, RegisteredTable>> = {
  entity_mentions: {
    content: ['alias'],
    id: ['statement_id'],
    neither: ['account_id', 'scope_id', 'is_public', 'is_sure', 'is_of_subject'],
    goes: { step: 'indexes', verifiedBy: 'entity_mentions.statement_id' },
  },
  scope_names: {
    content: ['word', 'alias'],
    id: [],
    neither: [
      'account_id',
      'scope_id',
      'statements',
      'public_statements',
      'sure_statements',
      'sure_public_statements',
      'subject_statements',
      'subject_public_statements',
    ],
    goes: { with: 'entity_mentions' },
  },
};
