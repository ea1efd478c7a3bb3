/** The registry of erasure against what is written to the indexes: a field that it does not know fails here. */
import { MOST_OF_BEGINNING } from '../../../domain/retrieval/message-search.ts';
import { expect, test } from '@jest/globals';
import { INDEX_ENTRIES, type RegisteredEntry } from '../../../domain/erasure/index-entries.ts';
import { analyseMessage } from '../../../engine/analysis/message.ts';
import {
  analyseStatement,
  messageRecord,
  passagePoint,
  statementPoint,
  statementRecord,
  type IndexedStatement,
} from '../../../engine/indexes/units.ts';
import { awaitingVector } from '../../../engine/indexes/writes.ts';
import type { MessageUnit } from '../../../stores/postgres/indexes/units.store.ts';

const ACCOUNT = '0198c8c8-0000-7000-8000-00000000000a';
const AT = '2024-01-01T00:00:00.000Z';

const statement: IndexedStatement = {
  id: 's',
  scope_id: 'c',
  statement: 'Ann keeps geese.',
  kind: 'fact',
  state: 'active',
  sensitivity: 'public',
  target_level: 'peer',
  subject_peer_id: 'p',
  expires_at: null,
  text_occurred_at: AT,
  extracting_provider: 'deterministic',
  extracting_model: 'rules',
  pipeline_version: 'f5-1',
  corroboration_count: 1,
  row_version: 1,
  audience: ['p'],
  submitting_peer_ids: ['p'],
  ever_scopes: ['c'],
  ever_states: ['active'],
  ever_sensitivities: ['public'],
  ever_levels: ['peer'],
  believed_from: AT,
  believed_until: null,
};
const message: MessageUnit = {
  id: 'm',
  session_id: 'x',
  scope_id: 'c',
  speaker_peer_id: 'p',
  speaker_name: 'Ann',
  role: 'user',
  content: 'I keep geese.',
  occurred_at: AT,
  occurred_offset_minutes: 0,
  is_chunk: false,
  recorded_at: '2026-01-01T00:00:00.000Z',
  has_audience: false,
  readers: ['p'],
  read_at: 1,
};

function registered({ content, id, neither }: RegisteredEntry): readonly string[] {
  return [...content, ...id, ...neither].toSorted();
}

test('the registry classifies every field of the entries of both indexes, and no other', () => {
  const said = analyseStatement(ACCOUNT, statement);
  const analysis = analyseMessage(
    { accountId: ACCOUNT, content: message.content, surroundings: null },
    message.content,
  );
  const [passage] = analysis.passages;
  if (passage === undefined) throw new Error('a message has a passage');
  const point = awaitingVector(statementPoint(ACCOUNT, said, null));
  const part = passagePoint(
    ACCOUNT,
    { ...message, is_chunk: true },
    { ...analysis, saysSomething: true, isWithAssistant: true },
    { ...passage, isShortQuestion: true, hasTimeCue: true },
    MOST_OF_BEGINNING,
    'awaited',
  );
  const fields = (entry: object): readonly string[] => Object.keys(entry).toSorted();
  expect(
    Object.fromEntries(
      Object.entries(INDEX_ENTRIES).map(([name, entry]) => [name, registered(entry)]),
    ),
  ).toEqual({
    'qdrant statement': fields({ ...point.payload, sparse: 0, dense: 0 }),
    'qdrant message': fields({ ...part.payload, sparse: 0, dense: 0 }),
    'meilisearch statement': fields(statementRecord(ACCOUNT, said)),
    'meilisearch message': fields(messageRecord(ACCOUNT, { unit: message, analysis })),
  });
});
