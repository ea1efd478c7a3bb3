/** What carries a pump into functions that take more than a text: messages, units, lines, plans. */
import { parseQuery } from '../../../domain/query/parse-query.ts';
import { readQuestion } from '../../../engine/text/ranked-question.ts';

const AT = '2026-03-11T12:00:00Z';

export const linesOf = (text: string): readonly { text: string; headings: readonly string[] }[] =>
  text.split(/(?<=[.\n ])/u).map((line) => ({ text: line, headings: [] }));

export const placed = (text: string) =>
  linesOf(text).map((line, index) => ({
    text: line.text,
    x: (index * 37) % 500,
    y: index * 2,
    width: 30,
    height: 1,
  }));

/** A message, or a source of a statement, between turns of the same text. */
export const around = (text: string) => ({
  speaker: 'p',
  speakerName: text.slice(0, 64),
  role: 'user',
  text,
  at: 0,
  offsetMinutes: 0,
  before: [{ speaker: 'q', role: 'user', text }],
  after: [{ speaker: 'q', role: 'user', text }],
});

export const unit = (content: string) => ({
  speaker_name: 'Ann',
  occurred_offset_minutes: 0,
  is_chunk: false,
  id: '00000000-0000-7000-8000-000000000000',
  scope_id: '00000000-0000-7000-8000-000000000001',
  session_id: 's',
  speaker_peer_id: 'p',
  reader_peer_ids: [],
  readers: [],
  has_audience: false,
  audience: null,
  role: 'user',
  content,
  statement: content,
  occurred_at: AT,
  text_occurred_at: AT,
  submitting_peer_ids: [],
  source_message_ids: [],
  ever_scopes: [],
  ever_states: [],
  ever_sensitivities: [],
  ever_levels: [],
  read_at: 1,
});

export const analysed = (text: string) => ({
  unit: unit(text),
  sparse: { indices: [1], values: [1] },
  sources: null,
  textHash: 'hash',
});

export const plan = (text: string) => ({
  parsed: parseQuery(text.slice(0, 4096)),
  hasQueryOperators: true,
  text,
  meaning: text,
  terms: new Map([['oslo', 1]]),
  reading: readQuestion(text),
});

/** A question with evidence, of which a search offers fifty items at most. */
export const askedOf = (question: string, text: string, name = 'Ada') => ({
  question,
  referenceTime: AT,
  evidence: Array.from({ length: 50 }, (_, n) => ({
    id: String(n),
    text,
    about: name,
    spokenBy: name,
    validity: { from: AT, until: null },
    saidAt: AT,
    score: n / 50,
    disagreesWith: [],
    level: 'peer',
    isProvisional: false,
  })),
});
