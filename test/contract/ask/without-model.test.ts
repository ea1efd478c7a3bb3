/** `POST /api/v1/ask` without a model: the statements as they are, and recalls that rules plan. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NO_EVIDENCE } from '../../../domain/answers/outcome.ts';
import { EFFORTS, headSize, RECALL_CAPS, tokensOf } from '../../../domain/answers/recall/caps.ts';
import { OUTCOMES } from '../../support/answers/outcomes.ts';
import type { HttpAnswer } from '../../support/http.ts';
import {
  closeWithoutErrors,
  dataOf,
  startOwnService,
  type Body,
  type OwnService,
} from '../../support/service.ts';
import { answerOf, statementsIn } from './scene.ts';

const LIMIT = 12;

let service: OwnService;
let agent: string;
let carol: string;

const ask = (body: Body = {}, token = agent) =>
  service.call({
    path: '/api/v1/ask',
    token,
    json: { scope_path: '/team', question: 'Which animals does Ana keep?', ...body },
  });

interface Shown {
  readonly id: string;
  readonly type: string;
  readonly text: string;
  readonly origin: string;
  readonly source_message_ids: readonly string[];
  readonly peer_key?: string;
}

const evidenceOf = (answer: HttpAnswer): readonly Shown[] =>
  Object(dataOf(answer)['recall_evidence'] ?? []);
const diagnosticsOf = (answer: HttpAnswer): Body => Object(dataOf(answer)['recall_diagnostics']);

const ANIMALS =
  'bees hens goats llamas fish rabbits geese ducks cats dogs sheep pigs mice bats owls frogs newts carp'.split(
    ' ',
  );

beforeAll(async () => {
  service = await startOwnService();
  await service.home.preset('assisted');
  agent = (await service.home.agent('agent')).token;
  carol = (await service.home.agent('carol')).token;
  await service.ingestAndWait(agent, {
    peer_key: 'ana',
    peer_name: 'Ana',
    content: ANIMALS.map((animal) => `I keep ${animal}.`).join(' '),
    occurred_at: '2024-05-01T10:00:00Z',
  });
  await service.ingestAndWait(agent, {
    scope_path: '/three',
    peer_key: 'ben',
    peer_name: 'Ben',
    content: 'I keep bees on the roof. I keep hens. I keep goats.',
  });
  await service.ingestAndWait(carol, {
    session_id: 'carols',
    // A question: nothing is stated in it.
    content: 'Which animals does Ana keep in the secret cellar, wolves?',
  });
  await service.quiet();
});

afterAll(() => closeWithoutErrors(service));

describe('without a model', () => {
  test('the answer is the first four statements, with a confidence of 40', async () => {
    const answer = await ask({ scope_path: '/three', question: 'What does Ben keep?' });
    const statements = [...statementsIn(answer)];
    const expected = OUTCOMES.find(({ provider }) => provider === 'none')?.expected;
    expect(answerOf(answer)).toEqual({
      answer: statements.map(([, text]) => text).join(' '),
      citations: statements.map(([id]) => id),
      abstained: expected?.abstained,
      answer_confidence: expected?.answer_confidence,
      answer_degraded: null,
      answer_context_count: expected?.answer_context_count,
      answerer_prompt_tokens: expected?.answerer_prompt_tokens,
      supporting_statements: [],
    });
    const many = dataOf(await ask());
    expect(many['citations']).toHaveLength(4);
  });

  test('nothing is answered where nothing is known', async () => {
    expect(answerOf(await ask({ scope_path: '/nowhere' }))).toEqual({
      answer: NO_EVIDENCE,
      citations: [],
      abstained: true,
      answer_confidence: 0,
      answer_degraded: null,
      answer_context_count: 0,
      answerer_prompt_tokens: 0,
      supporting_statements: [],
    });
  });

  test('a request without an effort has no recall, whatever its switches say', async () => {
    const data = dataOf(await ask({ include_source_recall: true }));
    expect(data).not.toHaveProperty('recall_evidence');
    expect(data).not.toHaveProperty('recall_diagnostics');
  });

  test.each([
    ['an unknown effort', { effort: 'huge' }, 'effort'],
    [
      'a switch that is no flag',
      { effort: 'low', include_source_recall: 'yes' },
      'include_source_recall',
    ],
    [
      'a stable profile that is no flag',
      { include_stable_profile_recall: 0 },
      'include_stable_profile_recall',
    ],
  ])('%s is refused', async (_what, body, field) => {
    const answer = await ask(body);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(field);
  });
});

describe.each(EFFORTS)('a recall with effort %s', (effort) => {
  const caps = RECALL_CAPS[effort];

  test('shows the head, what tools found, and the tail, each once', async () => {
    const answer = await ask({ effort });
    const shown = evidenceOf(answer);
    const page = [...statementsIn(answer).keys()];
    const head = headSize(effort, LIMIT);
    expect(shown.slice(0, head).map(({ id }) => id)).toEqual(page.slice(0, head));
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
    const ranks = shown.map(({ origin }) => ['head', 'tool', 'tail'].indexOf(origin));
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
    const tools = shown.filter(({ origin }) => origin === 'tool');
    expect(tools.length).toBeGreaterThan(0);
    expect(tools.length).toBeLessThanOrEqual(caps.items);
    expect(tools.reduce((sum, { text }) => sum + tokensOf(text), 0)).toBeLessThanOrEqual(
      caps.evidenceTokens,
    );
    expect(shown.every(({ type }) => type === 'knowledge')).toBe(true);
    expect(shown.some(({ text }) => /cellar|wolves/u.test(text))).toBe(false);
    const data = dataOf(answer);
    expect(Object(data['citations'])).toEqual(shown.slice(0, 4).map(({ id }) => id));
  });

  test('tells how it went in counts, hashes and words of closed lists', async () => {
    const answer = await ask({ effort });
    const told = diagnosticsOf(answer);
    expect(told).toMatchObject({
      effort,
      planner_calls: 0,
      profile: 'thorough',
      profile_version: 'f7-1',
      permissions: {
        source_exact: false,
        source_semantic: false,
        stable_profile: true,
        lineage: true,
      },
    });
    expect(Number(told['rounds'])).toBeLessThanOrEqual(caps.rounds);
    expect(Number(told['retrieval_calls'])).toBeLessThanOrEqual(caps.retrievalCalls);
    const tools = evidenceOf(answer).filter(({ origin }) => origin === 'tool');
    expect(tools.length).toBeGreaterThan(0);
    expect(Number(told['new_items'])).toBeGreaterThanOrEqual(tools.length);
    for (const hash of Object(told['query_hashes'])) expect(hash).toMatch(/^[0-9a-f]{16}$/u);
    expect(JSON.stringify(told)).not.toMatch(/animals|Ana|keep/iu);
  });
});

describe('source recall', () => {
  const sources = (answer: HttpAnswer) =>
    evidenceOf(answer).filter(({ type }) => type === 'source_message');

  test('adds messages that the reader was at, cited by their own ids', async () => {
    const answer = await ask({ effort: 'high', include_source_recall: true }, carol);
    const messages = sources(answer);
    expect(messages.length).toBeGreaterThan(0);
    for (const message of messages) {
      expect(message.source_message_ids).toEqual([message.id]);
      expect(message.origin).toBe('tool');
      expect(message.text).toContain('cellar');
      expect(message.peer_key).toBe('carol');
    }
    expect(diagnosticsOf(answer)).toMatchObject({
      permissions: { source_exact: true, source_semantic: true },
    });
  });

  test('leaves out messages that only ask where they are not wanted', async () => {
    const recall = { effort: 'high', include_source_recall: true };
    expect(sources(await ask(recall, carol)).length).toBeGreaterThan(0);
    expect(sources(await ask({ ...recall, include_questions: false }, carol))).toEqual([]);
  });

  test.each(['medium', 'high'])(
    'with effort %s is counted with what statements tools found',
    async (effort) => {
      const answer = await ask({ effort, include_source_recall: true }, carol);
      const tools = evidenceOf(answer).filter(({ origin }) => origin === 'tool');
      expect(tools.length).toBeGreaterThan(0);
      expect(Number(diagnosticsOf(answer)['new_items'])).toBeGreaterThanOrEqual(tools.length);
    },
  );

  test('adds none for a reader who was not there', async () => {
    const dave = (await service.home.agent('dave')).token;
    const answer = await ask({ effort: 'high', include_source_recall: true }, dave);
    expect(sources(answer)).toEqual([]);
    expect(JSON.stringify(evidenceOf(answer))).not.toMatch(/cellar|wolves/u);
  });

  test('looks for words or for meanings alone where one switch is on', async () => {
    const tools = async (body: Body): Promise<unknown[]> =>
      Object(diagnosticsOf(await ask({ effort: 'high', ...body }, carol))['tool_outcomes']).map(
        ({ tool }: Body) => tool,
      );
    const exact = await tools({ include_source_exact_recall: true });
    expect(exact).toContain('source_exact');
    expect(exact).not.toContain('source_semantic');
    const semantic = await tools({ include_source_semantic_recall: true });
    expect(semantic).toContain('source_semantic');
    expect(semantic).not.toContain('source_exact');
  });

  test('sees the messages that were recorded by `as_of`, and no stable profile', async () => {
    const past = await ask(
      { effort: 'high', include_source_recall: true, as_of: '2025-01-01T00:00:00Z' },
      carol,
    );
    expect(evidenceOf(past)).toEqual([]);
    expect(diagnosticsOf(past)).toMatchObject({ permissions: { stable_profile: false } });
    const now = await ask(
      { effort: 'high', include_source_recall: true, as_of: new Date().toISOString() },
      carol,
    );
    expect(sources(now).length).toBeGreaterThan(0);
  });

  test('is bound by phrases and exclusions of the question', async () => {
    const bound = { effort: 'high', include_source_recall: true };
    const without = await ask({ ...bound, question: 'animals -cellar -wolves' }, carol);
    expect(JSON.stringify(evidenceOf(without))).not.toMatch(/cellar|wolves/u);
    const phrase = await ask({ ...bound, question: 'What does Ana keep? "keeps hens"' });
    expect(evidenceOf(phrase).map(({ text }) => text)).toEqual([
      expect.stringContaining('keeps hens'),
    ]);
  });

  test('is off where filters ask for statements of an origin', async () => {
    const answer = await ask(
      { effort: 'high', include_source_recall: true, source_filters: { minimum_corroboration: 1 } },
      carol,
    );
    expect(sources(answer)).toEqual([]);
    expect(diagnosticsOf(answer)).toMatchObject({
      permissions: {
        source_exact: false,
        source_semantic: false,
        stable_profile: false,
        lineage: false,
      },
    });
  });
});

describe('the texts of messages', () => {
  const grants = (verb: 'revoke' | 'grant') =>
    verb === 'revoke'
      ? service.rows(`do $$ begin
          execute 'revoke select on messages from vouch_app';
          execute (select format('grant select (%s) on messages to vouch_app', string_agg(quote_ident(attname), ', '))
            from pg_attribute where attrelid = 'messages'::regclass and attnum > 0 and not attisdropped
              and attname <> 'content');
        end $$`)
      : service.rows('grant select on messages to vouch_app');

  test('are read by no statement of a recall without source switches, and by one with them', async () => {
    await grants('revoke');
    try {
      for (const effort of [undefined, ...EFFORTS]) {
        const answer = await ask({ effort, include_identity_profile: true }, carol);
        expect([effort, answer.status]).toEqual([effort, 200]);
        expect(dataOf(answer)['degraded']).toBe(false);
      }
      const refused = await ask({ effort: 'high', include_source_recall: true }, carol);
      expect(refused.status).toBe(500);
    } finally {
      await grants('grant');
    }
    expect((await service.forgiveErrors()).length).toBeGreaterThan(0);
  });
});
