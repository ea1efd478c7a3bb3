/** Questions with a canary wherever a caller may put one, to a model that fails with texts and answers with them. */
import type { HttpCall } from '../support/http.ts';
import { until } from '../fault/harness/until.ts';
import { headersWith, type Texts } from './requests.ts';
import type { Scene } from './scene.ts';
import { HANGS_MS } from '../support/patience.ts';

const EVERY_MS = 200;

function question(canaries: Texts, more: object, headers: object = {}): HttpCall {
  const { content, member_name: member, peer_key, query, scope_segment: segment } = canaries;
  return {
    path: '/api/v1/ask',
    headers: { ...headersWith(canaries), ...headers },
    json: {
      question: `What of ${content} and ${query}?`,
      scope_path: `/canary/${segment}`,
      peer_key,
      [member]: content,
      ...more,
    },
  };
}

/** Questions that are refused, each with the status it must get. */
export function refusedQuestions(canaries: Texts): { status: number; call: HttpCall }[] {
  const { query } = canaries;
  const refused = [
    { question: { text: query } },
    { question: ` ${query}\u0000` },
    { effort: query },
    { profile: query },
    { include_source_recall: query },
    { as_of: query },
    { strategies: [query] },
  ];
  return refused.map((more) => ({ status: 422, call: question(canaries, more) }));
}

/** Asks until the model was asked, failed with a text, planned, and answered with one. */
export async function driveAnswers({ answering, call, canaries }: Scene): Promise<void> {
  const { provider_answer_error: message, provider_answer_text: text, query } = canaries;
  const failed = { kind: 'status', status: 400, body: { error: { message } } } as const;
  const written = (value: unknown) => ({ kind: 'text', text: JSON.stringify(value) }) as const;
  const unread = { kind: 'text', text: `Sure: ${text}` } as const;
  const answer = { answer: text, citations: ['S1', text], abstained: false, answer_confidence: 90 };
  const step = {
    tool: 'source_exact',
    query: `${text} ${query}`,
    from: text,
    until: null,
    ref: text,
  };
  const plan = written({
    steps: [step, { ...step, tool: text }, { ...step, tool: 'lineage', ref: 'S1' }],
  });
  const effort = { effort: 'high', include_source_recall: true };
  const drives = [
    [question(canaries, {}), [unread, unread, failed]],
    [question(canaries, {}), [written(answer)]],
    [
      question(canaries, {}, { accept: 'text/event-stream' }),
      [written({ ...answer, abstained: text }), unread, unread],
    ],
    [question(canaries, effort), [plan, plan, plan, written(answer)]],
    [question(canaries, effort, { accept: 'text/event-stream' }), [failed, written(answer)]],
  ] as const;
  for (const [request, behaviours] of drives) {
    const before = answering.requests.length;
    answering.script(...behaviours);
    const asked = async (): Promise<boolean> => {
      await call(request, 200);
      return answering.requests.length > before;
    };
    await until('a question to the model of answers', HANGS_MS, asked, EVERY_MS);
  }
}
