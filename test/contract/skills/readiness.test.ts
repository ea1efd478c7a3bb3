/** Readiness reports: one table of cards, statements and readers, and what a report says of each. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dataOf, type Body } from '../../support/service.ts';
import {
  daysAgo,
  itemOf,
  itemsOf,
  requirement,
  startSkillScene,
  type Said,
  type SkillScene,
} from './scene.ts';

const DAY_SECONDS = 86_400;

let scene: SkillScene;
let n = 0;
let skill: string;
let peer: string;
beforeAll(async () => {
  scene = await startSkillScene();
});
afterAll(() => scene.close());
beforeEach(() => {
  n += 1;
  skill = `skill-${n}`;
  peer = `peer-${n}@skills.example`;
});

const ask = (json: Body, token = scene.agent) =>
  scene.service.call({ path: '/api/v1/readiness', token, json: { scope_path: '/team', ...json } });
const keys = (rows: unknown) => itemsOf(rows).map(({ key }) => key);

interface Row {
  readonly name: string;
  readonly required?: Body;
  readonly said: readonly Said[];
  readonly status: string;
}

const YEAR = { revalidated_within_seconds: 365 * DAY_SECONDS };
const WEEK = { revalidated_within_seconds: 7 * DAY_SECONDS };

const ROWS: readonly Row[] = [
  { name: 'nothing is known', said: [], status: 'missing' },
  { name: 'it is active', said: [{}], status: 'satisfied' },
  {
    name: 'it is the own provisional one',
    said: [{ state: 'provisional' }],
    status: 'satisfied',
  },
  {
    name: 'it is provisional, and somebody else said it',
    said: [{ state: 'provisional', by: ['somebody'] }],
    status: 'missing',
  },
  ...['needs_revalidation', 'stale', 'expired'].map((state) => ({
    name: `it is ${state}`,
    said: [{ state }],
    status: 'stale',
  })),
  ...['proposed', 'held', 'contested', 'superseded', 'rejected'].map((state) => ({
    name: `it is ${state}`,
    said: [{ state }],
    status: 'missing',
  })),
  { name: 'it is expired, not yet swept', said: [{ expiresAt: daysAgo(1) }], status: 'stale' },
  {
    name: 'it expired before it was placed, and somebody else said it',
    said: [{ state: 'expired', wasPlaced: false, by: ['somebody'] }],
    status: 'missing',
  },
  {
    name: 'one is over and another is active',
    said: [{ state: 'expired' }, {}],
    status: 'satisfied',
  },
  {
    name: 'it is young enough',
    required: { freshness: YEAR },
    said: [{ since: daysAgo(30) }],
    status: 'satisfied',
  },
  {
    name: 'it is too old',
    required: { freshness: WEEK },
    said: [{ since: daysAgo(30) }],
    status: 'stale',
  },
  {
    name: 'it is old, and the peer said it again',
    required: { freshness: WEEK },
    said: [{ since: daysAgo(30), saidAt: daysAgo(2) }],
    status: 'satisfied',
  },
  {
    name: 'it is old, and somebody else said it again',
    required: { freshness: WEEK },
    said: [{ since: daysAgo(30), saidAt: daysAgo(2), by: ['somebody'] }],
    status: 'stale',
  },
  {
    name: 'the peer said it',
    required: { source_policy: 'ask-peer' },
    said: [{}],
    status: 'satisfied',
  },
  {
    name: 'somebody else said what the peer should say',
    required: { source_policy: 'ask-peer' },
    said: [{ by: ['somebody'] }],
    status: 'missing',
  },
  {
    name: 'it stands in a document of the peer and the peer should say it',
    required: { source_policy: 'ask-peer' },
    said: [{ source: 'document' }],
    status: 'missing',
  },
  { name: 'it stands above', said: [{ path: '/' }], status: 'satisfied' },
  { name: 'it stands below', said: [{ path: '/team/deep' }], status: 'missing' },
  { name: 'it stands beside', said: [{ path: '/apart' }], status: 'missing' },
  {
    name: 'it is personal',
    said: [{ sensitivity: 'personal', by: ['somebody'] }],
    status: 'satisfied',
  },
  {
    name: 'it is restricted',
    said: [{ sensitivity: 'restricted', by: ['somebody'] }],
    status: 'satisfied',
  },
  { name: 'it is about another peer', said: [{ about: 'a third person' }], status: 'missing' },
];

describe.each(ROWS)('where $name', ({ required = {}, said, status }) => {
  test(`the requirement is ${status}`, async () => {
    await scene.publish({ skill, requirements: [requirement(required)] });
    const ids: string[] = [];
    for (const one of said) ids.push(await scene.say(peer, one));
    await scene.peer(peer);
    const report = await scene.report(skill, peer);
    const item = itemOf(report);
    expect(item).toMatchObject({ status, blocking: status !== 'satisfied' });
    expect(report).toMatchObject({
      ready: status === 'satisfied',
      blocked: status !== 'satisfied',
    });
    const named = [item['matched_knowledge_ids'], item['stale_knowledge_ids']].flat();
    expect(named.toSorted()).toEqual(status === 'missing' ? [] : ids.toSorted());
  });
});

describe('a report', () => {
  test('has the shape of the contract', async () => {
    const { card } = await scene.publish({
      skill,
      requirements: [requirement({ description: 'the tea', source_policy: 'either' })],
    });
    const id = await scene.peer(peer);
    const report = await scene.report(skill, peer);
    const item = {
      key: 'one',
      description: 'the tea',
      level: 'required',
      source_policy: 'either',
      selector: expect.objectContaining({ kind: ['preference'], subject: 'peer' }),
      freshness: null,
      status: 'missing',
      blocking: true,
      message: null,
      matched_knowledge_ids: [],
      matched_count: 0,
      stale_knowledge_ids: [],
      stale_count: 0,
      source_scope_id: await scene.scope('/team'),
      source_scope_path: '/team',
      card_version: 1,
      elicitation: {
        allowed: true,
        prompt: 'Please tell me: the tea.',
        submit_via: 'ingest',
        // oxlint-disable-next-line unicorn/no-thenable -- the contract's name
        then: 'check_readiness',
      },
    };
    expect(report).toEqual({
      report_version: 'f9-1',
      skill,
      peer_id: id,
      scope_id: await scene.scope('/team'),
      scope_path: '/team',
      ready: false,
      blocked: true,
      cards: [
        {
          id: Object(card).id,
          scope_id: await scene.scope('/team'),
          version: 1,
          requirement_schema_version: 'f9-1',
        },
      ],
      requirements: [item],
      blockers: [item],
      warnings: [],
      checked_at: expect.any(String),
    });
  });

  test('without a card in the chain has one blocker, and asks nothing', async () => {
    await scene.peer(peer);
    await scene.publish({ scope_path: '/team/deep', skill, requirements: [] }).catch(() => null);
    const report = await scene.report(skill, peer);
    expect(report).toMatchObject({ ready: false, requirements: [], cards: [] });
    expect(itemsOf(report['blockers'])).toMatchObject([
      {
        key: '__skill_card__',
        level: 'required',
        source_policy: 'from-memory',
        status: 'missing_card',
        blocking: true,
        message: expect.any(String),
        elicitation: { allowed: false },
      },
    ]);
  });

  test('warns of what is preferred, and is ready', async () => {
    await scene.peer(peer);
    await scene.publish({ skill, requirements: [requirement({ level: 'preferred' })] });
    const report = await scene.report(skill, peer);
    expect(report).toMatchObject({ ready: true, blockers: [] });
    expect(keys(report['warnings'])).toEqual(['one']);
  });

  test('takes the nearest card of each key, and says from which one it is', async () => {
    await scene.peer(peer);
    await scene.scope('/team/deep');
    const one = (key: string, changes: Body = {}) => requirement({ key, ...changes });
    await scene.publish({ scope_path: '/', skill, requirements: [one('a'), one('b'), one('c')] });
    await scene.publish({ skill, requirements: [one('b', { level: 'preferred' })] });
    await scene.publish({
      scope_path: '/team/deep',
      skill,
      requirements: [{ key: 'c', enabled: false }, one('d')],
    });
    const deep = await scene.report(skill, peer, '/team/deep');
    expect(
      itemsOf(deep['requirements']).map(({ key, level, source_scope_path: path }) => [
        key,
        level,
        path,
      ]),
    ).toEqual([
      ['a', 'required', '/'],
      ['b', 'preferred', '/team'],
      ['d', 'required', '/team/deep'],
    ]);
    expect(itemsOf(deep['cards'])).toHaveLength(3);
    expect(keys((await scene.report(skill, peer))['requirements'])).toEqual(['a', 'b', 'c']);
    const missing = await scene.report(skill, peer, '/team/deep/none');
    expect(missing).toMatchObject({ scope_id: null, scope_path: '/team/deep/none' });
    expect(keys(missing['requirements'])).toEqual(['a', 'b', 'd']);
  });

  test('follows a card that is retired, to the one above', async () => {
    await scene.peer(peer);
    await scene.publish({ scope_path: '/', skill, requirements: [requirement({ key: 'above' })] });
    const { card } = await scene.publish({ skill, requirements: [requirement({ key: 'near' })] });
    expect(keys((await scene.report(skill, peer))['requirements'])).toEqual(['above', 'near']);
    const path = `/api/v1/governance/skills/${String(Object(card).id)}/retire`;
    await scene.service.call({ method: 'POST', path, token: scene.curator, json: {} });
    expect(keys((await scene.report(skill, peer))['requirements'])).toEqual(['above']);
  });

  test('is never ready where there is more to check than it checks', async () => {
    await scene.peer(peer);
    const many = (word: string) =>
      Array.from({ length: 64 }, (_, at) =>
        requirement({ key: `${word}-${at}`, level: 'preferred' }),
      );
    await scene.publish({ scope_path: '/', skill, requirements: many('far') });
    await scene.publish({ skill, requirements: many('near') });
    const report = await scene.report(skill, peer);
    expect(itemsOf(report['requirements'])).toHaveLength(64);
    expect(report['ready']).toBe(false);
    expect(keys(report['blockers'])).toEqual(['__too_many_requirements__']);
  });

  test('names twenty statements of those that it counts, the newest first', async () => {
    await scene.publish({ skill, requirements: [requirement()] });
    const ids: string[] = [];
    for (let day = 25; day > 0; day -= 1) ids.push(await scene.say(peer, { since: daysAgo(day) }));
    const item = itemOf(await scene.report(skill, peer));
    expect(item['matched_count']).toBe(25);
    expect(item['matched_knowledge_ids']).toEqual(ids.toReversed().slice(0, 20));
  });

  test('becomes ready by an answer that comes back through ingest', async () => {
    const account = await scene.service.account('answers');
    await account.preset('unattended');
    const { token } = await account.agent('agent');
    const curator = await account.person('curator', { role: 'curator' });
    await scene.service.ingest(token, { scope_path: '/team', peer_key: peer, content: 'Hello.' });
    const selector = { attribute: 'residence' };
    await scene.publish({ skill, requirements: [requirement({ selector })] }, curator);
    const before = dataOf(await ask({ skill, peer_key: peer }, token));
    expect(before['ready']).toBe(false);
    await scene.service.ingestAndWait(token, { peer_key: peer, content: 'I live in Bergen.' });
    const after = dataOf(await ask({ skill, peer_key: peer }, token));
    expect(itemOf(after)).toMatchObject({ status: 'satisfied', matched_count: 1 });
  });
});
