/** `POST /api/v1/source-search`: its envelope, its fields and their bounds, its readers, and what becomes of hits. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countClusters } from '../../domain/text/excerpt.ts';
import type { HttpAnswer } from '../support/http.ts';
import { eventually } from '../support/patience.ts';
import {
  closeWithoutErrors,
  dataOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { exactly, refusal } from './answers.ts';

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

let service: Service;
let relay: string;
let stranger: string;
let machine: string;

const ask = (token: string, body: Body = {}): Promise<HttpAnswer> =>
  service.call({
    path: '/api/v1/source-search',
    headers: { authorization: `Bearer ${token}` },
    json: { scope_path: '/team', ...body },
  });
const tell = (content: string, more: Body = {}) =>
  service.ingestAndWait(relay, { peer_key: 'alice', peer_name: 'Alice', content, ...more });

function resultsOf(answer: HttpAnswer): readonly Body[] {
  const { results } = dataOf(answer);
  if (!Array.isArray(results)) throw new Error(`no results in ${answer.status} ${answer.text}`);
  return results.map((each): Body => Object(each));
}

const excerpts = (answer: HttpAnswer): unknown[] => resultsOf(answer).map(({ excerpt }) => excerpt);

beforeAll(async () => {
  service = await startService();
  relay = (await service.home.agent('relay')).token;
  stranger = (await service.home.agent('stranger')).token;
  machine = (await service.home.agent(null)).token;
  await tell('Hmm, the lease of the boathouse: I am not sure when it ends.', {
    session_id: 'talk',
    occurred_at: '2026-03-01T10:00:00Z',
  });
  await tell('Bread again on Tuesday?', { session_id: 'talk' });
  await service.quiet();
});

afterAll(() => closeWithoutErrors(service));

describe('messages that only ask', () => {
  test.each(['semantic', 'exact'])(
    'are found in %s mode unless they are left out',
    async (mode) => {
      const query = 'bread on Tuesday';
      expect(excerpts(await ask(relay, { query, mode }))).toContain('Bread again on Tuesday?');
      const without = await ask(relay, { query, mode, include_questions: false });
      expect(dataOf(without)['status']).toMatch(/^(?:ready|empty)$/u);
      expect(excerpts(without)).not.toContain('Bread again on Tuesday?');
    },
  );

  test.each(['semantic', 'exact'])('leave the others where they are in %s mode', async (mode) => {
    const query = 'lease of the boathouse';
    const [first] = excerpts(await ask(relay, { query, mode }));
    const [alone] = excerpts(await ask(relay, { query, mode, include_questions: false, limit: 1 }));
    expect(alone).toBe(first);
  });

  test('are found where the field is null, and a wrong one is refused', async () => {
    const query = 'bread on Tuesday';
    const mode = 'exact';
    expect(excerpts(await ask(relay, { query, mode, include_questions: null }))).toContain(
      'Bread again on Tuesday?',
    );
    expect((await ask(relay, { query, mode, include_questions: 'no' })).status).toBe(422);
  });
});

describe('an answer', () => {
  test.each(['semantic', 'exact'])('in %s mode has every field of the contract', async (mode) => {
    const answer = await ask(relay, { query: 'lease of the boathouse', mode, limit: 1 });
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toEqual({
      status: 'ready',
      failure_class: null,
      mode,
      scope_path: '/team',
      reader_posture: 'peer',
      results: [
        {
          message_id: UUID,
          session_id: 'talk',
          scope_path: '/team',
          peer_key: 'alice',
          peer_name: 'Alice',
          role: 'user',
          occurred_at: '2026-03-01T10:00:00.000Z',
          excerpt: 'Hmm, the lease of the boathouse: I am not sure when it ends.',
          score: expect.any(Number),
          rank: 1,
        },
      ],
    });
  });

  test('is the same for the same question', async () => {
    const query = { query: 'lease boathouse bread', mode: 'exact' };
    expect(exactly(await ask(relay, query))).toEqual(exactly(await ask(relay, query)));
  });

  test('is empty for a blank query and for one that nothing matches', async () => {
    for (const body of [
      {},
      { query: null },
      { query: '  ' },
      { query: 'zeppelin', mode: 'exact' },
    ]) {
      expect(dataOf(await ask(relay, body))).toMatchObject({
        status: 'empty',
        failure_class: null,
        results: [],
      });
    }
  });
});

describe('the fields of a request', () => {
  test('name the mode by any of its names', async () => {
    for (const [mode, shown] of [
      [undefined, 'semantic'],
      [null, 'semantic'],
      ['semantic', 'semantic'],
      ['exact', 'exact'],
      ['full_text', 'exact'],
      ['lexical', 'exact'],
    ]) {
      expect(dataOf(await ask(relay, { query: 'lease', mode }))['mode']).toBe(shown);
    }
    expect(refusal(await ask(relay, { query: 'lease', mode: 'fuzzy' }))).toEqual([
      422,
      'invalid_request',
      'mode',
    ]);
  });

  test('clamp the number of results and of the characters of an excerpt', async () => {
    await tell(`The zebra crossed. ${'It was a long day in the savannah. '.repeat(200)}`, {
      scope_path: '/team/long',
      session_id: 'long',
    });
    await service.quiet();
    const longest = async (excerpt_chars: unknown) => {
      const body = { query: 'zebra', mode: 'exact', scope_path: '/team/long', excerpt_chars };
      const [first] = resultsOf(await ask(relay, body));
      // It begins with the message: of the two ellipses that it has room for it needs one.
      return countClusters(String(first?.['excerpt'])) + 1;
    };
    expect(await longest(1)).toBe(80);
    expect(await longest(undefined)).toBe(480);
    expect(await longest('many')).toBe(480);
    expect(await longest(1_000_000)).toBe(2_000);
    expect(
      resultsOf(await ask(relay, { query: 'lease bread', mode: 'exact', limit: 0 })),
    ).toHaveLength(1);
  });

  test('are refused where they are wrong', async () => {
    expect(refusal(await ask(relay, { query: 'lease', scope_path: 'a//../b' }))[0]).toBe(422);
    expect(refusal(await ask(relay, { query: 7 }))).toEqual([422, 'invalid_request', 'query']);
    expect(refusal(await ask(relay, { query: 'q'.repeat(5_000) }))).toEqual([
      422,
      'invalid_request',
      'query',
    ]);
    expect((await ask('nobody', { query: 'lease' })).status).toBe(401);
  });
});

describe('the reader', () => {
  const query = { query: 'lease of the boathouse', mode: 'exact' };

  test('is whoever was there: the relay, the speaker, and nobody else', async () => {
    // The turn that says it, and the one beside it.
    const whoWasThere = resultsOf(await ask(relay, query));
    expect(String(whoWasThere[0]?.['excerpt'])).toContain('lease of the boathouse');
    const byAlice = resultsOf(await ask(machine, { ...query, peer_key: 'alice' }));
    expect(byAlice.map((one) => one['message_id'])).toEqual(
      whoWasThere.map((one) => one['message_id']),
    );
    expect(resultsOf(await ask(stranger, query))).toEqual([]);
    expect(resultsOf(await ask(relay, { ...query, peer_key: 'stranger' }))).toEqual([]);
  });

  test('without a peer reads no message, and gets the bytes of a place without any', async () => {
    for (const mode of ['semantic', 'exact']) {
      const body = { query: 'lease', mode };
      const there = await ask(machine, body);
      expect(dataOf(there)).toMatchObject({ status: 'empty', reader_posture: 'public_only' });
      const nothing = await ask(machine, { ...body, scope_path: '/void' });
      expect(exactly(nothing)).toEqual(
        JSON.parse(JSON.stringify(exactly(there)).replaceAll('/team', '/void')),
      );
    }
  });

  test('must exist, and be one that the caller may name', async () => {
    expect(refusal(await ask(relay, { ...query, peer_key: 'nobody' }))).toEqual([
      422,
      'unknown_peer',
    ]);
    const member = await service.home.person('member');
    expect(refusal(await ask(member, { ...query, peer_key: 'alice' }))).toEqual([403, 'forbidden']);
  });

  test('who joins a session later finds what was said before', async () => {
    await tell('The barometer fell this morning.', { session_id: 'weather' });
    await service.quiet();
    await service.ingestAndWait(relay, {
      session_id: 'weather',
      peer_key: 'bob',
      content: 'It will rain then.',
    });
    await service.quiet();
    const body = { query: 'barometer', peer_key: 'bob' };
    for (const mode of ['semantic', 'exact']) {
      expect(excerpts(await ask(relay, { ...body, mode }))).toContain(
        'The barometer fell this morning.',
      );
    }
  });

  test('gets unchanged answers while others speak where it is not', async () => {
    const everything = async () => {
      const answers = [];
      for (const mode of ['semantic', 'exact']) {
        for (const words of ['lease', '"the lease"', 'lease -bread', 'marmalade']) {
          answers.push(exactly(await ask(relay, { query: words, mode, peer_key: 'alice' })));
          answers.push(exactly(await ask(stranger, { query: words, mode })));
        }
      }
      return answers;
    };
    const before = await everything();
    const eve = (await service.home.agent('eve')).token;
    const said = { session_id: 'secret', content: 'The lease of the boathouse and marmalade.' };
    await service.ingestAndWait(eve, said);
    await service.quiet();
    expect(await everything()).toEqual(before);
  });
});

describe('what was accepted', () => {
  test('is found without anybody asking for a refresh', async () => {
    const { status } = await service.ingest(relay, {
      peer_key: 'alice',
      content: 'The accordion needs new reeds.',
    });
    expect(status).toBe(202);
    for (const mode of ['semantic', 'exact']) {
      await eventually(async () =>
        excerpts(await ask(relay, { query: 'accordion reeds', mode })).includes(
          'The accordion needs new reeds.',
        ),
      );
    }
  });

  test('and is erased leaves the search by words and the one by meaning together', async () => {
    const frank = await service.home.person('frank');
    await service.ingestAndWait(frank, { content: 'My gramophone plays waltzes.' });
    await service.quiet();
    const find = async () => {
      const answers = [];
      for (const mode of ['semantic', 'exact']) {
        const body = { query: 'gramophone waltzes', mode, peer_key: service.home.emailOf('frank') };
        answers.push(excerpts(await ask(machine, body)));
      }
      return answers;
    };
    expect(await find()).toEqual([
      ['My gramophone plays waltzes.'],
      ['My gramophone plays waltzes.'],
    ]);
    const [row] = await service.rows('select id from peers where account_id = $1 and key = $2', [
      service.home.id,
      service.home.emailOf('frank'),
    ]);
    const asked = await service.call({
      method: 'POST',
      path: '/api/v1/self/erasure',
      headers: { authorization: `Bearer ${frank}` },
      json: {},
    });
    expect(asked.status).toBe(202);
    // At once nobody is answered with it; in the end it is gone from both.
    const refused = await ask(machine, {
      query: 'gramophone',
      peer_key: service.home.emailOf('frank'),
    });
    expect([200, 422]).toContain(refused.status);
    expect(refused.text).not.toContain('waltzes');
    await eventually(async () => {
      const left = await service.rows(
        'select 1 from messages where account_id = $1 and speaker_peer_id = $2',
        [service.home.id, row?.['id']],
      );
      return left.length === 0;
    });
  });
});
