/** Overrides of retrieval profiles: what callers notice of them in searches. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  removeProfileOverride,
  setProfileOverride,
} from '../../operations/retrieval/profile-overrides.ts';
import type { HttpAnswer } from '../support/http.ts';
import {
  candidatesOf,
  closeWithoutErrors,
  dataOf,
  startService,
  type Body,
  type Service,
} from '../support/service.ts';
import { refusal, withoutTimes } from './answers.ts';

let service: Service;
let agent: string;
let pinned: string;
const set: { profile: string; scope?: string }[] = [];

interface Override extends Body {
  readonly profile?: string;
  readonly scope?: string;
}

async function override({ profile = 'balanced', scope, ...values }: Override): Promise<unknown> {
  const place = { profile, ...(scope === undefined ? {} : { scope }) };
  set.push(place);
  const made = await service.operate(setProfileOverride, {
    account: service.home.key,
    ...place,
    ...values,
  });
  return made.profile_override;
}

const QUERY = { query: 'Where does Alice grow beans?', scope_path: '/team' };
const search = (body: Body = {}, token = agent) => service.search(token, { ...QUERY, ...body });
const overrideIn = async (body: Body = {}, token = agent) =>
  dataOf(await search(body, token))['profile_override'];

function outcomesOf(answer: HttpAnswer): readonly (readonly unknown[])[] {
  const { retrieval_outcomes: outcomes } = dataOf(answer);
  if (!Array.isArray(outcomes)) throw new Error('no outcomes');
  return outcomes.map((one) => [one.component, one.status, one.reason_class]);
}

beforeAll(async () => {
  service = await startService();
  await service.home.preset('assisted');
  agent = (await service.home.agent('agent')).token;
  pinned = (await service.home.agent('pinned', { pin: '/team/east' })).token;
  for (const scope_path of ['/team', '/team/east', '/team/west']) {
    await service.ingestAndWait(agent, {
      scope_path,
      session_id: scope_path,
      peer_key: 'alice',
      peer_name: 'Alice',
      content: `I grow beans in ${scope_path.split('/').at(-1) ?? ''}. I like green tea.`,
    });
  }
});

afterEach(async () => {
  for (const place of set.splice(0)) {
    await service.operate(removeProfileOverride, { account: service.home.key, ...place });
  }
});

afterAll(() => closeWithoutErrors(service));

describe('an answer under an override', () => {
  test('names it by its digest, and keeps the name and the version of the profile', async () => {
    const digest = await override({ deadline_ms: 5_000 });
    expect(dataOf(await search())).toMatchObject({
      profile: 'balanced',
      profile_version: 'f7-1',
      profile_override: digest,
      degraded: false,
    });
    expect(await overrideIn({ profile: 'thorough' })).toBeNull();
    expect(await overrideIn({ profile: 'fast' })).toBeNull();
  });

  test('reports a strategy that is switched off first, as dropped, and is degraded', async () => {
    await override({ strategies: { lexical: 1, salience_recency: 1 } });
    const answer = await search();
    expect(outcomesOf(answer)).toEqual([
      ['semantic', 'dropped', 'disabled'],
      ['temporal', 'dropped', 'disabled'],
      ['entity_match', 'dropped', 'disabled'],
      ['lexical', 'completed', null],
      ['salience_recency', 'not_applicable', 'applicability'],
      ['reranker', 'not_applicable', 'applicability'],
    ]);
    expect(dataOf(answer)).toMatchObject({
      dropped_strategies: ['semantic', 'temporal', 'entity_match'],
      contributed_strategies: ['lexical'],
      degraded: true,
      degraded_components: ['semantic', 'temporal', 'entity_match'],
    });
    expect(candidatesOf(answer).length).toBeGreaterThan(0);
    for (const candidate of candidatesOf(answer))
      expect(candidate['strategies']).toEqual(['lexical']);
  });

  test('ranks by the weights and the constant that it gives', async () => {
    const asked = {
      query: 'green beans of the east',
      scope_path: '/team/east',
      profile: 'thorough',
    };
    const scores = async () =>
      candidatesOf(await search(asked)).map(({ fusion_score: score, id }) => [id, score]);
    const before = await scores();
    expect(before.length).toBeGreaterThan(2);
    await override({ profile: 'thorough', strategies: { semantic: 1, lexical: 0.01 } });
    const weighed = await scores();
    expect(weighed).not.toEqual(before);
    await override({
      profile: 'thorough',
      strategies: { semantic: 1, lexical: 0.01 },
      rrf_k: 1000,
    });
    expect(await scores()).not.toEqual(weighed);
  });

  test('runs a strategy that the profile does not have', async () => {
    expect(outcomesOf(await search({ profile: 'fast' })).map(([name]) => name)).not.toContain(
      'lexical',
    );
    await override({ profile: 'fast', strategies: { lexical: 1 } });
    expect(outcomesOf(await search({ profile: 'fast' }))).toContainEqual([
      'lexical',
      'completed',
      null,
    ]);
  });

  test('still takes neither weights from callers nor another time limit', async () => {
    await override({ deadline_ms: 5_000 });
    expect(refusal(await search({ strategies: { lexical: 1 } }))).toEqual([
      422,
      'invalid_request',
      'strategies',
    ]);
    expect(refusal(await search({ deadline: 'disabled' }))).toEqual([403, 'forbidden']);
  });
});

describe('of overrides at several places', () => {
  test('the nearest holds, also below it and at a path that does not exist', async () => {
    const account = await override({ rrf_k: 20 });
    expect(await overrideIn()).toBe(account);
    const team = await override({ rrf_k: 30, scope: '/team' });
    const east = await override({ rrf_k: 40, scope: '/team/east' });
    expect(await overrideIn()).toBe(team);
    expect(await overrideIn({ scope_path: '/team/east' })).toBe(east);
    expect(await overrideIn({ scope_path: '/team/west' })).toBe(team);
    expect(await overrideIn({ scope_path: '/team/east/not/yet' })).toBe(east);
    expect(await overrideIn({ scope_path: '/elsewhere' })).toBe(account);
  });

  test('one at a scope that the caller may not read is like none', async () => {
    await service.home.agent('outsider', { role: 'reader' });
    await service.home.grant('outsider', { scope: '/team/east', effect: 'deny' });
    const outsider = (await service.home.agent('outsider', { role: 'reader' })).token;
    const ask = async () => withoutTimes(await search({ scope_path: '/team/east' }, outsider));
    const before = await ask();
    await override({ strategies: { lexical: 1 }, scope: '/team/east' });
    expect(await ask()).toEqual(before);
    expect(await overrideIn({ scope_path: '/team/east' })).not.toBeNull();
  });

  test('one at a path that the pin forbids is like none, and that of the account holds', async () => {
    const ask = async (scope_path: string) =>
      JSON.stringify(withoutTimes(await search({ scope_path }, pinned))).replaceAll(scope_path, '');
    await override({ strategies: { lexical: 1 }, scope: '/team/west' });
    expect(await ask('/team/west')).toBe(await ask('/team/none'));
    const account = await override({ rrf_k: 20 });
    expect(await overrideIn({ scope_path: '/team/west' }, pinned)).toBe(account);
    expect(await overrideIn({ scope_path: '/team/none' }, pinned)).toBe(account);
  });

  test('one of another account does not hold here', async () => {
    await service.operate(setProfileOverride, {
      account: service.other.key,
      profile: 'balanced',
      rrf_k: 99,
    });
    expect(await overrideIn()).toBeNull();
  });
});
