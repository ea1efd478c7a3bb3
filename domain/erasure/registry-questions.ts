/** Tables of questions to people; see `registry.ts`. */
import { words, type RegisteredTable } from './registered-table.ts';

export const QUESTION_TABLES: Readonly<Record<string, RegisteredTable>> = {
  ask_preferences: {
    content: [],
    id: words('peer_id'),
    neither: words('account_id max_per_session max_per_day paused_until updated_at'),
    goes: { step: 'identity', verifiedBy: 'ask_preferences.peer_id' },
  },
  question_deliveries: {
    content: words('shown_text_hash'),
    id: words('id question_id session_id peer_id credential_id'),
    neither: [
      ...words('account_id operation delivered_at verdict verification effect answered_at'),
      ...words('shown_text_differs'),
    ],
    goes: { with: 'questions' },
  },
  questions: {
    content: words('statement_hash'),
    id: words('id knowledge_id peer_id'),
    neither: [
      ...words('account_id scope_id kind target_scope_id opened_at deadline_at skips put_off'),
      ...words('last_delivered_at ended_at end_reason'),
    ],
    goes: { with: 'knowledge' },
  },
};
