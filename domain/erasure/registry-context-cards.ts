/** Tables of what context answers from; see `registry.ts`. */
import { words, type RegisteredTable } from './registered-table.ts';

type Tables = 'projection_marks' | 'projection_work' | 'projections';

export const CONTEXT_CARD_TABLES: Readonly<Record<Tables, RegisteredTable>> = {
  projection_marks: {
    content: [],
    id: words('target_id'),
    neither: words('account_id id kind scope_id marked_at'),
    goes: { step: 'identity', verifiedBy: 'projection_marks.target_id' },
  },
  projection_work: {
    content: [],
    id: words('target_id'),
    neither: words('account_id kind scope_id generation marked_at available_at attempt_count'),
    goes: { step: 'identity', verifiedBy: 'projection_work.target_id' },
  },
  // Whatever is made of an erased statement goes in its transaction, a summary that was written from it too.
  projections: {
    content: words('entity label summary'),
    id: words('target_id source_ids'),
    neither: [
      ...words('account_id kind scope_id entity_kind source_versions source_total said_since'),
      ...words('summary_mode summary_provider summary_model summary_model_version'),
      ...words('summary_prompt_version revision built_at summary_due_at summary_attempts'),
      ...words('summary_asked_at'),
    ],
    goes: { step: 'statements', verifiedBy: 'projections.source_ids' },
  },
};
