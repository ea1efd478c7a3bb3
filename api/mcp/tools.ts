/**
 * The tools, one row each: the operation behind it, and its description for models. What a tool does is the operation's
 * own; the fields of its arguments are the operation's, described by the same schemas.
 */
import type { OperationName } from '../../operations/registry.ts';

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly operation: OperationName;
  /** For a model: what it gives, when to use it, when not. */
  readonly description: string;
  /** Fields of the operation's input that the tool takes; it refuses all others. */
  readonly takes: readonly string[];
  /** Those of them that a call must have, whether the operation has a default or not. */
  readonly needs: readonly string[];
  /**
   * Fields of which a call must have one, the usual one first. The schema cannot say so: clients refuse alternatives in
   * the schema of a tool.
   */
  readonly needsOneOf?: readonly [string, ...string[]];
  /** Other words for fields whose own words speak of another door. */
  readonly says?: Readonly<Record<string, string>>;
  /** What fields are when the call does not say, where that is another value than at other doors. */
  readonly unless?: Readonly<Record<string, boolean>>;
  /** Fields that name one thing: what is no id names nothing. */
  readonly ids?: readonly string[];
  /** The path of the route that `idempotency_key` belongs to, so that a key means one thing at both doors. */
  readonly repeatable?: string;
  /** Whether a repetition changes nothing more. */
  readonly idempotent?: true;
  /** Whether it may end something that was there. */
  readonly destructive?: true;
  /** The answer is a page: its items become `data`. */
  readonly page?: true;
  /** A call may ask for `diagnostics`: how the answer came about, which is left out of it otherwise. */
  readonly diagnosed?: true;
  /** The field whose presence makes the answer a stream of events, because it may take long. */
  readonly streamsWith?: string;
}

/** The operations have a default for REST; a tool has none, so its words invite no blank. */
const SCOPES_TO_READ = {
  scope_path:
    'The scope to read, together with its ancestors. Every call needs it or `scope_paths`, not both.',
  scope_paths:
    'Up to 16 scopes to read as one, each together with its ancestors, in place of `scope_path`.',
};

/** What a tool that reads scopes takes. */
const READS = ['session_id', 'peer_key', 'scope_path', 'scope_paths'] as const;
const NEEDS_SCOPES = ['scope_path', 'scope_paths'] as const;

export const TOOLS: readonly Tool[] = [
  {
    name: 'ingest',
    title: 'Remember what was said',
    operation: 'ingestObservation',
    description:
      'Records one turn of a conversation, word for word. Use it for each turn worth remembering, including your own (role `assistant`). Name the speaker in `peer_key` when you relay for somebody else. Vouch draws statements from the turn later and decides who may see them. The answer says only that Vouch has stored the turn safely. Do not store your own conclusions or summaries, secrets, or the same turn twice. To correct a statement, record what the person said about it.',
    takes: [
      'session_id',
      'scope_path',
      'content',
      'peer_key',
      'peer_name',
      'role',
      'occurred_at',
      'audience',
    ],
    needs: ['session_id', 'scope_path', 'content'],
    repeatable: '/api/v1/ingest',
  },
  {
    name: 'get_context',
    title: 'Read the context before you answer',
    operation: 'readContext',
    description:
      'Returns what you should know at a scope before you begin or continue: a summary of the session, facts about the reader, the scope and the names in it, then statements, within a budget of characters. Use it at the start of a conversation or a task. Use `search` or `ask` to find out one thing. If something is missing, memory does not have it or this reader may not see it.',
    takes: [...READS, 'query', 'limit', 'budget_chars'],
    needs: [],
    needsOneOf: NEEDS_SCOPES,
    says: SCOPES_TO_READ,
    diagnosed: true,
  },
  {
    name: 'search',
    title: 'Search memory',
    operation: 'search',
    description:
      'Finds statements by words and meaning, the best first, each with its sources. Use it when you need the facts themselves, to weigh or quote them. Use `ask` for a finished answer, and `query_knowledge` to list the statements of a scope. No result means that no statement that this reader may see matched. It does not mean that something is untrue.',
    takes: [...READS, 'query', 'profile', 'limit', 'as_of', 'include_cross_links'],
    needs: ['query'],
    needsOneOf: NEEDS_SCOPES,
    says: SCOPES_TO_READ,
    diagnosed: true,
  },
  {
    name: 'ask',
    title: 'Ask memory a question',
    operation: 'ask',
    description:
      'Answers one question from statements, with citations, or abstains. Use it for a question that memory can settle. If `abstained` is true, say that you do not know. Never fill the gap. Do not use it for general knowledge or for several questions at once. `effort` searches further and takes seconds. Leave it out at first.',
    takes: [
      ...READS,
      'question',
      'profile',
      'limit',
      'as_of',
      'include_cross_links',
      'effort',
      'include_source_recall',
      'include_questions',
    ],
    // A model takes a question that it finds for an answer.
    unless: { include_questions: false },
    needs: ['question'],
    needsOneOf: NEEDS_SCOPES,
    says: SCOPES_TO_READ,
    diagnosed: true,
    streamsWith: 'effort',
  },
  {
    name: 'query_knowledge',
    title: 'List statements',
    operation: 'queryKnowledge',
    description:
      'Lists the statements of a scope and its ancestors by state, those with the highest confidence first. Use it to see which statements a scope has, or which ones wait, are contested or were superseded. Do not use it to look for something: `search` ranks by a query.',
    takes: [...READS, 'state', 'limit', 'cursor'],
    needs: [],
    needsOneOf: NEEDS_SCOPES,
    says: {
      ...SCOPES_TO_READ,
      cursor: 'The `next_cursor` of the previous page. Absent: the first page.',
    },
    page: true,
  },
  {
    name: 'check_readiness',
    title: 'Check which facts a skill lacks',
    operation: 'checkReadiness',
    description:
      'Reports which facts a skill needs, which of them memory has about a person or scope, and what to ask for each missing fact. Call it before you use a skill that has a card. A gap is never permission to invent a fact: ask the person, record the answer with `ingest`, and check again. Do not use it to look for facts.',
    takes: ['session_id', 'skill', 'scope_path', 'peer_id', 'peer_key'],
    needs: ['skill', 'scope_path'],
  },
  {
    name: 'resolve_validation',
    title: 'Report the answer of a person',
    operation: 'resolveValidation',
    description:
      'Reports the answer of a person to the question in `pending_validation` of an earlier answer. Use it only after you quoted the statement to that person, word for word, and the person answered. Never answer for the person, and do not guess: report `unsure` or `skip`.',
    takes: ['id', 'verdict', 'shown_text', 'correction_text'],
    needs: ['id', 'verdict'],
    ids: ['id'],
    destructive: true,
  },
  {
    name: 'set_ask_preference',
    title: 'Ask a person less often',
    operation: 'tightenAskPreference',
    description:
      'Makes the questions to the peer of your key rarer, or pauses them. Use it when the person says that the questions disturb. It never makes questions more frequent: only the person can do that, signed in.',
    takes: ['max_per_session', 'max_per_day', 'pause_for_hours'],
    needs: [],
  },
];
