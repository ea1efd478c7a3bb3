/**
 * Every field of an entry of the search indexes: what it holds of a person. A test compares it with what is written to
 * the indexes, so that a new field cannot be forgotten.
 */

/**
 * Fields of entries of the indexes, by index and unit. They go with the mark of their unit, in the step `indexes`. Two do
 * not: `readers` of a message that somebody else said, and `audience` of a statement about somebody else. Erasure deletes
 * neither and does not mark them, so the id of the person's peer row, which stands for nobody by then, stays there until
 * the unit is written again. For messages in Qdrant the reconcile compares readers and sees to that; a rebuild does for
 * the others.
 */
export interface RegisteredEntry {
  readonly content: readonly string[];
  readonly id: readonly string[];
  readonly neither: readonly string[];
}

const GOVERNED = [
  'now_scope',
  'row_version',
  'believed_from',
  'believed_until',
  'now_state',
  'now_sensitivity',
  'now_level',
  'ever_scope',
  'ever_state',
  'ever_sensitivity',
  'ever_level',
  'expires_at',
] as const;

export const INDEX_ENTRIES = {
  'qdrant statement': {
    content: ['sparse', 'dense', 'text_hash'],
    id: ['account', 'source_id', 'subject_peer', 'submitters', 'audience'],
    neither: [
      ...GOVERNED,
      'unit',
      'order',
      'analyzer',
      'kind',
      'provider',
      'model',
      'pipeline',
      'corroboration',
      'vector',
    ],
  },
  'qdrant message': {
    content: ['sparse', 'dense', 'text_hash', 'role'],
    id: ['account', 'source_id', 'session', 'speaker', 'readers'],
    neither: [
      'unit',
      'order',
      'now_scope',
      'row_version',
      'analyzer',
      'passage',
      'recorded',
      'part',
      'begins_at',
      'vector',
      'short_question',
      'time_cue',
      'says_something',
      'with_assistant',
    ],
  },
  'meilisearch statement': {
    content: ['text', 'coded', 'terms'],
    id: ['account', 'source_id', 'subject_peer', 'submitters', 'audience'],
    neither: GOVERNED,
  },
  'meilisearch message': {
    content: ['text', 'coded', 'terms', 'role'],
    id: ['account', 'source_id', 'session', 'speaker', 'readers'],
    neither: ['now_scope', 'row_version', 'order'],
  },
} as const satisfies Readonly<Record<string, RegisteredEntry>>;
