/** Skill cards over HTTP: published, listed, read and retired, by whom and for whom. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Body } from '../../support/service.ts';
import { dataOf } from '../../support/service.ts';
import { refusal } from '../answers.ts';
import { itemsOf, requirement, startSkillScene, type SkillScene } from './scene.ts';

const PATH = '/api/v1/governance/skills';

let scene: SkillScene;
let reader: string;
beforeAll(async () => {
  scene = await startSkillScene();
  reader = await scene.account.person('reader', { role: 'reader' });
  for (const path of ['/team/deep', '/apart']) await scene.scope(path);
});
afterAll(() => scene.close());

const post = (json: unknown, token = scene.curator, headers = {}) =>
  scene.service.call({ path: PATH, token, json, headers });
const get = (path: string, token = reader) => scene.service.call({ path: `${PATH}${path}`, token });
const listed = async (query: string, token = reader) =>
  itemsOf(dataOf(await get(`?${query}`, token))['items']);
const cardIn = (published: Body): Body => Object(published['card']);
const events = async (action: string) =>
  scene.service.rows(
    `select resource_id, metadata from audit_events where account_id = $1 and action = $2 order by id`,
    [scene.account.id, action],
  );

describe('publishing', () => {
  test('enters versions one after the other, of which the last is in force', async () => {
    const body = { skill: 'trip', description: 'Trips.', requirements: [requirement()] };
    const first = await scene.publish(body);
    expect(first).toMatchObject({
      status: 'published',
      card: { skill: 'trip', scope_path: '/team', version: 1, retired_at: null },
    });
    const second = await scene.publish({ ...body, description: 'Longer trips.' });
    expect(cardIn(second)).toMatchObject({ version: 2, description: 'Longer trips.' });
    expect(await listed('scope_path=/team&skill=trip')).toMatchObject([
      { version: 2, requirement_count: 1 },
    ]);
    const all = await listed('scope_path=/team&skill=trip&include_retired=true');
    expect(all.map(({ version }) => version)).toEqual([2, 1]);
    const old = dataOf(await get(`/${String(cardIn(first)['id'])}`));
    expect(old).toMatchObject({ version: 1, description: 'Trips.' });
    expect(old['retired_at']).not.toBeNull();
  });

  test('of the same content, spelt in another way, answers unchanged and enters nothing', async () => {
    const one = requirement({ selector: { kind: ['preference', 'fact'] } });
    const first = await scene.publish({ skill: 'same', requirements: [one] });
    const before = (await events('skill_card.published')).length;
    const other = requirement({ selector: { kind: ['fact', 'preference'], sensitivity: [] } });
    const again = await post({ scope_path: 'team/', skill: 'same', requirements: [other] });
    expect(again.status).toBe(200);
    expect(dataOf(again)).toEqual({ ...first, status: 'unchanged' });
    expect(await events('skill_card.published')).toHaveLength(before);
  });

  test('is recorded without a word of the card', async () => {
    const { card } = await scene.publish({
      skill: 'told',
      description: 'A quince.',
      requirements: [],
    });
    const recorded = (await events('skill_card.published')).filter(
      ({ resource_id: id }) => id === Object(card).id,
    );
    expect(recorded).toHaveLength(1);
    expect(JSON.stringify(recorded)).not.toContain('uince');
  });

  test('sent again under its key gives the first answer, and another body is refused', async () => {
    const body = { scope_path: '/team', skill: 'keyed', requirements: [] };
    const headers = { 'idempotency-key': 'k1' };
    const first = await post(body, scene.curator, headers);
    expect(first.status).toBe(201);
    await post({ ...body, description: 'Another.' });
    const again = await post(body, scene.curator, headers);
    expect(again.status).toBe(201);
    expect(cardIn(dataOf(again))).toMatchObject({ id: cardIn(dataOf(first))['id'], version: 1 });
    const other = await post({ ...body, description: 'A third.' }, scene.curator, headers);
    expect(refusal(other)).toEqual([409, 'conflict']);
  });

  test('twice at once enters one version', async () => {
    const body = { scope_path: '/team', skill: 'twins', requirements: [requirement()] };
    const answers = await Promise.all([post(body), post(body), post(body)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect(await listed('scope_path=/team&skill=twins&include_retired=true')).toHaveLength(1);
  });

  test('names every fault of all members at once', async () => {
    const answer = await post({ scope_path: 7, skill: 'No', description: 3, requirements: [{}] });
    expect(refusal(answer)).toEqual([
      422,
      'invalid_request',
      'scope_path',
      'skill',
      'description',
      'requirements.0.key',
      'requirements.0.level',
      'requirements.0.source_policy',
      'requirements.0.selector',
    ]);
  });

  test('is refused to agents and to readers', async () => {
    const body = { scope_path: '/team', skill: 'trip', requirements: [] };
    expect(refusal(await post(body, scene.agent))).toEqual([403, 'human_identity_required']);
    expect(refusal(await post(body, reader))).toEqual([403, 'forbidden']);
  });

  test('makes the scope where nothing was written to it yet, and only for its curators', async () => {
    const body = { scope_path: '/team/new/deep', skill: 'early', requirements: [requirement()] };
    const paths = () =>
      scene.service.rows(
        `select path from scopes where account_id = $1 and path like '/team/new%' order by path`,
        [scene.account.id],
      );
    expect(refusal(await post(body, reader))).toEqual([403, 'forbidden']);
    expect(await paths()).toEqual([]);
    expect((await post(body)).status).toBe(201);
    expect(await paths()).toEqual([{ path: '/team/new' }, { path: '/team/new/deep' }]);
    expect(await listed('scope_path=/team/new/deep&skill=early')).toHaveLength(1);
  });

  test('keeps fifty versions of a skill', async () => {
    for (let n = 0; n < 53; n += 1) {
      await scene.publish({ skill: 'many', description: `Number ${n}.`, requirements: [] });
    }
    const kept = await listed('scope_path=/team&skill=many&include_retired=true&limit=100');
    expect(kept.map(({ version }) => version)).toEqual(
      Array.from({ length: 50 }, (_, n) => 53 - n),
    );
  });

  test('of a hundred skills at a scope is all that is taken there', async () => {
    await scene.service.rows(
      `insert into skill_cards (account_id, id, scope_id, skill, version, requirement_schema_version, requirements,
         content_hash, published_at)
       select $1, gen_random_uuid(), $2, 'filler-' || n, 1, 'f9-1', '[]', sha256('x'), now()
       from generate_series(1, 99) n`,
      [scene.account.id, await scene.scope('/apart')],
    );
    const body = { scope_path: '/apart', requirements: [] };
    expect((await post({ ...body, skill: 'last' })).status).toBe(201);
    expect(refusal(await post({ ...body, skill: 'too-much' }))).toEqual([
      422,
      'invalid_request',
      'skill',
    ]);
    expect((await post({ ...body, skill: 'last', description: 'Still.' })).status).toBe(201);
  });
});

describe('lists', () => {
  test('have the cards of the readable chain, page by page', async () => {
    await scene.publish({ scope_path: '/', skill: 'paged', requirements: [] });
    await scene.publish({ scope_path: '/team/deep', skill: 'paged', requirements: [] });
    await scene.publish({ skill: 'paged', requirements: [] });
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const query = `scope_path=/team/deep&skill=paged&limit=2${cursor}`;
      const page = dataOf(await get(`?${query}`));
      seen.push(...itemsOf(page['items']).map(({ scope_path: path }) => path));
      const { next_cursor: next } = page;
      cursor = typeof next === 'string' ? `&cursor=${next}` : '';
    } while (cursor !== '');
    expect(seen).toEqual(['/team', '/team/deep', '/']);
    const above = await listed('scope_path=/team&skill=paged');
    expect(above.map(({ scope_path: path }) => path)).toEqual(['/team', '/']);
  });

  test('leave out a scope that the caller may not read, and its card is missing', async () => {
    const denied = await scene.account.person('denied', { role: 'reader' });
    await scene.account.grant(`denied@${scene.account.key}.example`, {
      scope: '/team/deep',
      effect: 'deny',
    });
    const { card } = await scene.publish({
      scope_path: '/team/deep',
      skill: 'hid',
      requirements: [],
    });
    expect(await listed('scope_path=/team/deep&skill=hid', denied)).toEqual([]);
    const hidden = await get(`/${String(Object(card).id)}`, denied);
    const missing = await get('/01990000-0000-7000-8000-000000000000', denied);
    expect(hidden.text).toBe(missing.text);
    expect(hidden.status).toBe(404);
  });
});

describe('retiring', () => {
  const retire = (id: unknown, token = scene.curator) =>
    scene.service.call({ method: 'POST', path: `${PATH}/${String(id)}/retire`, token, json: {} });

  test('ends a version, once', async () => {
    const { card } = await scene.publish({ skill: 'ends', requirements: [] });
    const first = dataOf(await retire(Object(card).id));
    expect(first['retired_at']).not.toBeNull();
    expect(dataOf(await retire(Object(card).id))).toEqual(first);
    const recorded = (await events('skill_card.retired')).filter(
      ({ resource_id: id }) => id === Object(card).id,
    );
    expect(recorded).toHaveLength(1);
    expect(await listed('scope_path=/team&skill=ends')).toEqual([]);
  });

  test('and publishing the same again enters the next version', async () => {
    const body = { skill: 'again', requirements: [] };
    await retire(cardIn(await scene.publish(body))['id']);
    expect(cardIn(await scene.publish(body))).toMatchObject({ version: 2, retired_at: null });
  });

  test('is refused to who curates nowhere, and hidden from who curates elsewhere', async () => {
    const { card } = await scene.publish({ skill: 'kept', requirements: [] });
    expect(refusal(await retire(Object(card).id, reader))).toEqual([403, 'forbidden']);
    const elsewhere = await scene.account.person('elsewhere', { role: 'curator', scope: '/apart' });
    expect(refusal(await retire(Object(card).id, elsewhere))).toEqual([404, 'not_found']);
  });
});
