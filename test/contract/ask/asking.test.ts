/** `POST /api/v1/ask` with a model: what it is shown, what the answer holds beside the search, who leaves, and streams. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { said, SAID } from '../../support/answers/outcomes.ts';
import { send } from '../../support/http.ts';
import { eventually } from '../../support/patience.ts';
import { closeWithoutErrors, dataOf, type Body } from '../../support/service.ts';
import { refusal, withoutClock } from '../answers.ts';
import { materialOf, startAskScene, statementsIn, type AskScene } from './scene.ts';

const LIMIT = 4;

let scene: AskScene;
let agent: string;
let carol: string;

const ask = (body: Body = {}, headers: Readonly<Record<string, string>> = {}) =>
  scene.ask(agent, body, headers);

beforeAll(async () => {
  scene = await startAskScene({ SERVICE_ANSWER_CONTEXT_LIMIT: String(LIMIT) });
  const { home } = scene.service;
  await home.preset('assisted');
  agent = (await home.agent('agent')).token;
  carol = (await home.agent('carol')).token;
  await scene.service.ingestAndWait(agent, {
    peer_key: 'ana',
    peer_name: 'Ana',
    content:
      'I keep bees on the roof. I keep hens. I keep goats. I keep a llama. I keep fish. I keep rabbits.',
    occurred_at: '2024-05-01T10:00:00Z',
  });
  await home.preset('strict');
  await scene.service.ingestAndWait(carol, {
    content: 'I keep bees in a secret cellar.',
    session_id: 'carols',
  });
  // The names of statements are written a moment after the observation is completed, and change the scores.
  await scene.service.quiet();
});

afterAll(async () => {
  await closeWithoutErrors(scene?.service);
  await scene?.stub.close();
});

/** The events of a stream. */
function eventsOf(text: string): { readonly event: string; readonly data: Body }[] {
  return text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [event = '', data = ''] = block.split('\n');
      return {
        event: event.slice('event: '.length),
        data: JSON.parse(data.slice('data: '.length)),
      };
    });
}

describe('the answer', () => {
  test('holds what the search answers, unchanged', async () => {
    scene.stub.script(said());
    const answer = dataOf(await ask());
    const searched = dataOf(
      await scene.service.search(agent, {
        query: 'Who keeps bees on the roof?',
        profile: 'thorough',
      }),
    );
    for (const name of Object.keys(searched)) expect(answer).toHaveProperty(name);
    const same = Object.fromEntries(Object.keys(searched).map((name) => [name, answer[name]]));
    expect(withoutClock(same)).toEqual(withoutClock(searched));
  });

  test('shows the model the first candidates alone, the question last, and what its caller may read', async () => {
    scene.stub.script(said());
    const answer = await ask({ as_of: null });
    const material = materialOf(scene.stub);
    const shown = Array(material['evidence'])
      .flat()
      .map((item) => Object(item).text);
    expect(shown).toEqual([...statementsIn(answer).values()].slice(0, LIMIT));
    expect(dataOf(answer)).toMatchObject({ answer_context_count: LIMIT });
    expect(Object.keys(material)).toEqual(['evidence', 'reference_time', 'question']);
    expect(material['question']).toBe('Who keeps bees on the roof?');
    expect(Math.abs(Date.parse(String(material['reference_time'])) - Date.now())).toBeLessThan(
      60_000,
    );
    expect(JSON.stringify(scene.stub.requests.at(-1)?.body)).not.toContain('cellar');
    expect(material['evidence']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ref: 'S1',
          about: 'Ana',
          said_by: 'Ana',
          said_at: '2024-05-01T10:00:00.000Z',
          level: 'peer',
          provisional: false,
          validity: 'no dates known',
        }),
      ]),
    );
  });

  test('tells the model that a statement is provisional, to who submitted it alone', async () => {
    scene.stub.script(said());
    const own = await scene.ask(carol, { question: 'Who keeps bees in a cellar?' });
    expect(own.status).toBe(200);
    const { evidence } = materialOf(scene.stub);
    expect(evidence).toContainEqual(
      expect.objectContaining({ text: expect.stringContaining('cellar'), provisional: true }),
    );
  });

  test('shows no more than `limit` candidates, and takes `as_of` as the reference time', async () => {
    scene.stub.script(said({ citations: ['S1'] }));
    const answer = dataOf(await ask({ limit: 2, as_of: new Date().toISOString() }));
    expect(answer['answer_context_count']).toBe(2);
    const past = dataOf(await ask({ as_of: '2001-02-03T04:05:06Z' }));
    expect(past).toMatchObject({ citations: [], abstained: true, answer_context_count: 0 });
  });

  test('reports how much of it stands in each citation', async () => {
    scene.stub.script(said({ citations: ['S1'] }));
    const { citation_support: support, citations } = dataOf(await ask());
    expect(support).toEqual([{ id: Array(citations).flat()[0], overlap: expect.any(Number) }]);
  });

  test('is written again when its evidence is withdrawn meanwhile', async () => {
    const { service, stub } = scene;
    const lost = await service.ingestAndWait(agent, {
      peer_key: 'ben',
      scope_path: '/lost',
      content: 'I keep bees under the stairs.',
    });
    const id = String(lost.knowledge[0]?.['id']);
    await service.home.preset('assisted');
    await service.home.rewrite(id, { state: 'active' });
    await service.home.reindex();
    await service.home.preset('strict');
    const question = { scope_path: '/lost', question: 'Who keeps bees under the stairs?' };
    const released = Promise.withResolvers<void>();
    const before = stub.requests.length;
    stub.script({ kind: 'held', until: released.promise });
    const asking = ask(question);
    await eventually(async () => stub.requests.length > before);
    expect(JSON.stringify(stub.requests.at(-1)?.body)).toContain('stairs');
    await service.home.rewrite(id, { state: 'redacted' });
    stub.script(said());
    released.resolve();
    const answer = await asking;
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain(id);
    expect(dataOf(answer)).toMatchObject({ citations: [], abstained: true, candidates: [] });
  });
});

describe('a request', () => {
  test.each([
    ['no question', {}, 'question'],
    ['a blank question', { question: ' \n' }, 'question'],
    ['a question that is no text', { question: 7 }, 'question'],
    ['a question of too many bytes', { question: 'x'.repeat(4_097) }, 'question'],
    ['an unknown profile', { question: 'Who?', profile: 'slow' }, 'profile'],
    ['a profile that is not enabled', { question: 'Who?', profile: 'minimal' }, 'profile'],
    ['strategies', { question: 'Who?', strategies: ['lexical'] }, 'strategies'],
  ])('with %s is refused, and no model is asked', async (_what, body, field) => {
    const before = scene.stub.requests.length;
    const answer = await scene.service.call({ path: '/api/v1/ask', token: agent, json: body });
    expect(refusal(answer)).toEqual([422, 'invalid_request', field]);
    expect(scene.stub.requests.length).toBe(before);
  });

  test('ignores a query, and takes the fields of a search by its rules', async () => {
    scene.stub.script(said());
    expect(dataOf(await ask({ query: 'goats', limit: 'many' }))).toMatchObject({
      query: 'Who keeps bees on the roof?',
      profile: 'thorough',
    });
    expect((await ask({ peer_key: 'nobody' })).status).toBe(422);
    expect((await ask({ deadline: 'disabled' })).status).toBe(403);
    expect((await scene.service.call({ path: '/api/v1/ask', json: {} })).status).toBe(401);
  });

  test('whose client leaves ends the call to the provider, which would never answer', async () => {
    const { service, stub } = scene;
    const since = new Date();
    const [before, abandoned] = [stub.requests.length, stub.abandoned()];
    stub.script({ kind: 'hang' });
    const leaving = new AbortController();
    const asking = fetch(`${service.url}/api/v1/ask`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json' },
      body: JSON.stringify({ scope_path: '/team', question: 'Who keeps bees on the roof?' }),
      signal: leaving.signal,
    });
    await eventually(async () => stub.requests.length > before);
    leaving.abort();
    await expect(asking).rejects.toThrow();
    await eventually(async () => stub.abandoned() > abandoned);
    await eventually(async () => (await scene.ledger(since))[0]?.[0] === 'cancelled');
    expect(await scene.ledger(since)).toEqual([['cancelled', null, 0]]);
  });
});

describe('a stream of events', () => {
  const accept = { accept: 'text/event-stream' };

  test('sends the evidence, then the answer that JSON would have been', async () => {
    const released = Promise.withResolvers<void>();
    const before = scene.stub.requests.length;
    scene.stub.script({ kind: 'held', until: released.promise });
    const asking = fetch(`${scene.service.url}/api/v1/ask`, {
      method: 'POST',
      headers: { authorization: `Bearer ${agent}`, 'content-type': 'application/json', ...accept },
      body: JSON.stringify({ scope_path: '/team', question: 'Who keeps bees on the roof?' }),
    });
    const response = await asking;
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const [evidence] = eventsOf(first);
    expect(evidence?.event).toBe('evidence');
    expect(evidence?.data).toEqual({
      data: {
        evidence: Array.from({ length: LIMIT }, () =>
          expect.objectContaining({ type: 'knowledge', origin: 'head', text: expect.any(String) }),
        ),
      },
    });
    expect(first).not.toContain('event: answer');
    await eventually(async () => scene.stub.requests.length > before);
    const abandoned = scene.stub.abandoned();
    await reader?.cancel();
    await eventually(async () => scene.stub.abandoned() > abandoned);
    released.resolve();
  });

  test('ends with one answer, and is described', async () => {
    scene.stub.script(said());
    const streamed = await ask({}, accept);
    const events = eventsOf(streamed.text);
    expect(events.map(({ event }) => event)).toEqual(['evidence', 'answer']);
    scene.stub.script(said());
    const plain = dataOf(await ask());
    const { data } = events.at(-1)?.data ?? {};
    expect(withoutClock(Object(data))).toEqual(withoutClock(plain));
    expect(Object(data)).toMatchObject({ answer: SAID });
  });

  test('is refused like any other request', async () => {
    const answer = await ask({ question: '' }, accept);
    expect(refusal(answer)).toEqual([422, 'invalid_request', 'question']);
  });

  test('is for who prefers it: any type at all is JSON', async () => {
    scene.stub.script(said());
    const answer = await ask({}, { accept: '*/*' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const search = await send(scene.service.url, {
      path: '/api/v1/search',
      token: agent,
      headers: accept,
      json: { scope_path: '/team' },
    });
    expect(search.headers['content-type']).toMatch(/^application\/json/);
  });
});
