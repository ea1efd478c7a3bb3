/** Asks the service as one of the people of an episode: an application's key that names who reads. */
import { z } from 'zod';
import type { Access } from '../../bench/client.ts';
import type { AnswerText, Evidence, Item } from './evidence.ts';

const REQUEST_TIMEOUT_MS = 30_000;
const LONGEST_EXCERPT = 2_000;
/** The status of a name that no peer of the account has. */
const UNPROCESSABLE = 422;

const statements = z.object({
  data: z.object({
    degraded: z.boolean(),
    candidates: z.array(z.object({ statement: z.string(), source_message_ids: z.array(z.uuid()) })),
  }),
});
const messages = z.object({
  data: z.object({
    status: z.string(),
    results: z.array(z.object({ message_id: z.uuid(), excerpt: z.string() })),
  }),
});
const answered = z.object({
  data: z.object({ answer: z.string(), abstained: z.boolean(), citations: z.array(z.uuid()) }),
});
const refusal = z.object({ code: z.string() });

export interface Question {
  readonly text: string;
  readonly scopePath: string;
  /** The peer that asks. */
  readonly reader: string;
  /** Statements, and as many messages. */
  readonly limit: number;
  /** Whether messages that only ask are evidence. */
  readonly includesQuestions: boolean;
}

/** Null where no peer has the reader's name: the service then shows nothing. */
async function post({ apiKey, baseUrl }: Access, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const code = refusal.safeParse(answer).data?.code;
  if (response.status === UNPROCESSABLE && code === 'unknown_peer') return null;
  throw new Error(`${path} answered ${response.status}${code === undefined ? '' : ` ${code}`}`);
}

const NO_ANSWER: AnswerText = { text: '', abstained: true, citations: [] };

/** Everything that the service hands over for a question; `turnOf` gives the place of a message in its episode. */
export async function evidenceFor(
  access: Access,
  { includesQuestions, limit, reader, scopePath, text }: Question,
  turnOf: (messageId: string) => number | undefined,
): Promise<Evidence> {
  const asked = { scope_path: scopePath, peer_key: reader, limit };
  const found = await post(access, '/api/v1/search', { ...asked, query: text });
  const said = await post(access, '/api/v1/source-search', {
    ...asked,
    query: text,
    mode: 'exact',
    excerpt_chars: LONGEST_EXCERPT,
    include_questions: includesQuestions,
  });
  const told = await post(access, '/api/v1/ask', { ...asked, question: text });
  if (found === null || said === null || told === null) {
    return { items: [], answer: NO_ANSWER, isComplete: true };
  }
  const turnsOf = (ids: readonly string[]): number[] => ids.flatMap((id) => turnOf(id) ?? []);
  const { candidates, degraded } = statements.parse(found).data;
  const { results, status } = messages.parse(said).data;
  const { abstained, answer, citations } = answered.parse(told).data;
  const items: Item[] = [
    ...candidates.map((one) => ({
      kind: 'statement' as const,
      text: one.statement,
      turns: turnsOf(one.source_message_ids),
    })),
    ...results.map((one) => ({
      kind: 'message' as const,
      text: one.excerpt,
      turns: turnsOf([one.message_id]),
    })),
  ];
  return {
    items,
    answer: { text: answer, abstained, citations },
    isComplete: !degraded && (status === 'ready' || status === 'empty'),
  };
}
