/** What narrows a search: limit, scores, operators, an instant, sources. And the profile behind its flag. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  closeWithoutErrors,
  candidatesOf,
  dataOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { refusal } from './answers.ts';

const BEFORE_ALL = '2020-01-01T00:00:00Z';

let service: Service;
let agent: string;
let admin: string;
let messageId: string;
let recordedAt: string;

/** Without a deadline nothing can be dropped for want of time: only an administrator may ask for it. */
const search = (body: Body) => service.search(admin, { deadline: 'disabled', ...body });

async function statements(body: Body): Promise<unknown[]> {
  return candidatesOf(await search(body)).map(({ statement }) => statement);
}

beforeAll(async () => {
  service = await startService({ SERVICE_EXPERIMENTAL_MINIMAL_RECALL: 'true' });
  await service.home.preset('assisted');
  agent = (await service.home.agent('agent')).token;
  admin = (await service.home.agent('boss', { role: 'account_admin' })).token;
  const said = await service.ingestAndWait(agent, {
    peer_key: 'alice',
    peer_name: 'Alice',
    content: 'I moved to Porto in March 2020. I like green tea. I grow green beans.',
  });
  messageId = said.messageId;
  recordedAt = String(said.knowledge[0]?.['recorded_at']);
});

afterAll(() => closeWithoutErrors(service));

describe('the limit', () => {
  beforeAll(async () => {
    for (const first of [100, 200]) {
      const harbours = Array.from(
        { length: 55 },
        (_, n) => `I visited harbour number ${first + n}.`,
      );
      await service.ingestAndWait(agent, {
        scope_path: '/ports',
        peer_key: 'alice',
        content: harbours.join(' '),
      });
    }
  });

  test.each([
    [undefined, 12],
    ['many', 12],
    ['3', 3],
    [0, 1],
    [1000, 100],
  ])('%j gives %i candidates', async (limit, count) => {
    const answer = await search({ query: 'harbour visited', scope_path: '/ports', limit });
    expect(candidatesOf(answer)).toHaveLength(count);
  });
});

describe('the minimum score', () => {
  test('drops candidates inside each strategy', async () => {
    expect(dataOf(await search({ query: 'moved by zeppelin', min_score: 1 }))).toMatchObject({
      candidates: [],
      empty_strategies: ['semantic', 'lexical', 'entity_match'],
    });
    expect(await statements({ query: 'Porto', min_score: 0.000_1 })).toHaveLength(1);
  });

  test.each(['high', -0.1, 1.1, 1e9, [0.5], true])(
    'is a number from 0 to 1: not %j',
    async (score) => {
      expect(refusal(await search({ query: 'Porto', min_score: score }))).toEqual([
        422,
        'invalid_request',
        'min_score',
      ]);
    },
  );

  test('says what it must be', async () => {
    const answer = await search({ query: 'Porto', min_score: 2 });
    expect(answer.text).toContain('must be from 0 to 1');
  });

  test.each([0, 1, 0.5, null])('may be %j', async (score) => {
    expect((await search({ query: 'Porto', min_score: score })).status).toBe(200);
  });
});

describe('operators', () => {
  const TEA = 'Alice likes green tea.';
  const BEANS = 'Alice grows green beans.';
  const PORTO = 'Alice moved to Porto in March 2020.';

  test('words match one by one', async () => {
    expect((await statements({ query: 'green submarines' })).toSorted()).toEqual([BEANS, TEA]);
  });

  test('every candidate contains a quoted phrase', async () => {
    expect(await statements({ query: '"green tea"' })).toEqual([TEA]);
    expect(await statements({ query: '"tea green"' })).toEqual([]);
  });

  test('an excluded word is never returned', async () => {
    expect(await statements({ query: 'green -tea' })).toEqual([BEANS]);
    expect(await statements({ query: 'green -"green tea"' })).toEqual([BEANS]);
  });

  test('or joins alternatives', async () => {
    const found = await statements({ query: '"green tea" or "moved to Porto"' });
    expect(found.toSorted()).toEqual([TEA, PORTO]);
  });
});

describe('belief time', () => {
  test('an instant before the first statement finds nothing', async () => {
    for (const query of ['Porto', '']) {
      expect(await statements({ query, as_of: BEFORE_ALL, profile: 'thorough' })).toEqual([]);
    }
  });

  test('a statement is found as of the moment it was recorded, and not a moment before', async () => {
    const before = new Date(Date.parse(recordedAt) - 1000).toISOString();
    const after = new Date(Date.parse(recordedAt) + 1000).toISOString();
    expect(await statements({ query: 'Porto', as_of: before })).toEqual([]);
    expect(await statements({ query: 'Porto', as_of: after })).toHaveLength(1);
  });

  test('an as_of without an offset is UTC, and makes the temporal strategy run', async () => {
    const later = new Date(Date.parse(recordedAt) + 1000).toISOString().replace('Z', '');
    const data = dataOf(await search({ query: 'Porto', as_of: later }));
    expect(data['contributed_strategies']).toEqual(['semantic', 'lexical', 'temporal']);
  });

  test.each([['yesterday'], ['2024-02-30'], [1714557600]])('%j is refused', async (as_of) => {
    expect(refusal(await search({ as_of }))).toEqual([422, 'invalid_request', 'as_of']);
  });
});

describe('source filters', () => {
  test.each<[Body | null, number]>([
    [null, 1],
    [{}, 1],
    [{ provider: 'deterministic', pipeline_version: 'f5-1', minimum_corroboration: 1 }, 1],
    [{ provider: 'somebody-else' }, 0],
    [{ model: 'another' }, 0],
    [{ pipeline_version: 'f0-0' }, 0],
    [{ minimum_corroboration: 2 }, 0],
    [{ source_document_id: '01890000-0000-7000-8000-00000000ffff' }, 0],
    [{ unknown: 'key', provider: null }, 1],
  ])('%j leaves %i', async (source_filters, count) => {
    expect(await statements({ query: 'Porto', source_filters })).toHaveLength(count);
  });

  test('a message as source filter matches only for readers that may read the message', async () => {
    const body = {
      query: 'Porto',
      profile: 'thorough',
      source_filters: { source_message_id: messageId },
    };
    const found = candidatesOf(await service.search(agent, body));
    expect(found.length).toBeGreaterThanOrEqual(1);
    for (const one of found) expect(one['source_message_ids']).toEqual([messageId]);
    expect(await statements(body)).toEqual([]);
  });
});

describe('the minimal profile', () => {
  test('is offered where its flag is set', async () => {
    const data = dataOf(await search({ query: 'Porto', profile: 'minimal' }));
    expect(data).toMatchObject({
      profile: 'minimal',
      profile_version: 'f7-1',
      contributed_strategies: ['semantic', 'lexical'],
    });
  });

  test('is not the default', async () => {
    expect(dataOf(await search({ query: 'Porto' }))).toMatchObject({ profile: 'balanced' });
  });
});

test('an answer with an effort begins with the minimal profile where it is switched on, unless another is named', async () => {
  const profileOf = async (body: Body): Promise<unknown> => {
    const json = { scope_path: '/team', question: 'Who likes green tea?', ...body };
    return dataOf(await service.call({ path: '/api/v1/ask', token: agent, json }))['profile'];
  };
  expect(await profileOf({ effort: 'low' })).toBe('minimal');
  expect(await profileOf({ effort: 'low', profile: 'balanced' })).toBe('balanced');
  expect(await profileOf({})).toBe('thorough');
});
