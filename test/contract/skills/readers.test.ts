/** Whose eyes a readiness report reads with, and what it tells of what its reader may not read. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dataOf, type Body } from '../../support/service.ts';
import { refusal } from '../answers.ts';
import { daysAgo, itemOf, requirement, startSkillScene, type SkillScene } from './scene.ts';

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
describe('whose eyes', () => {
  test('naming another peer is for machines and curators, recorded before anything is read', async () => {
    await scene.publish({ skill, requirements: [requirement()] });
    const id = await scene.peer(peer);
    const member = await scene.account.person(`member-${n}`);
    expect(refusal(await ask({ skill, peer_key: peer }, member))).toEqual([403, 'forbidden']);
    expect(refusal(await ask({ skill, peer_key: 'nobody' }, member))).toEqual([403, 'forbidden']);
    expect(refusal(await ask({ skill, peer_key: 'nobody' }))).toEqual([422, 'unknown_peer']);
    const missing = '01990000-0000-7000-8000-000000000000';
    expect(refusal(await ask({ skill, peer_id: missing }))).toEqual([422, 'unknown_peer']);
    const count = async () =>
      scene.service.rows(
        `select metadata from audit_events where account_id = $1 and action = 'reader.named' and resource_id = $2`,
        [scene.account.id, id],
      );
    expect(await count()).toEqual([]);
    expect((await ask({ skill, peer_key: peer }, scene.curator)).status).toBe(200);
    // The id goes before the key.
    expect(dataOf(await ask({ skill, peer_id: id, peer_key: 'nobody' }))).toMatchObject({
      peer_id: id,
    });
    expect(await count()).toMatchObject([
      { metadata: { operation: 'skills.readiness' } },
      { metadata: { operation: 'skills.readiness' } },
    ]);
  });

  test('a credential without a peer has to name somebody', async () => {
    const { token } = await scene.account.agent(null);
    expect(refusal(await ask({ skill }, token))).toEqual([422, 'invalid_request', 'peer_key']);
    await scene.peer(peer);
    expect((await ask({ skill, peer_key: peer }, token)).status).toBe(200);
  });

  test('a person is checked by default, and is told of itself alone', async () => {
    await scene.publish({ skill, requirements: [requirement()] });
    const person = await scene.account.person(`self-${n}`);
    const key = `self-${n}@${scene.account.key}.example`;
    await scene.say('somebody', { sensitivity: 'personal' });
    expect(itemOf(dataOf(await ask({ skill }, person)))).toMatchObject({ status: 'missing' });
    const id = await scene.say(key, { sensitivity: 'personal' });
    expect(itemOf(dataOf(await ask({ skill }, person)))).toMatchObject({
      matched_knowledge_ids: [id],
    });
  });

  test('a curator reads as the peer where it curates, and as itself elsewhere', async () => {
    await scene.scope('/team/deep');
    await scene.publish({ scope_path: '/', skill, requirements: [requirement()] });
    const ask2 = requirement({ key: 'asked', source_policy: 'ask-peer' });
    await scene.publish({ skill, requirements: [ask2] });
    const name = `half-${n}`;
    const half = await scene.account.person(name, { role: 'reader' });
    await scene.account.grant(`${name}@${scene.account.key}.example`, {
      scope: '/team/deep',
      role: 'curator',
    });
    const curated = await scene.say(peer, { path: '/team/deep', sensitivity: 'personal' });
    await scene.say(peer, { path: '/team', sensitivity: 'personal' });
    const open = await scene.say(peer, { path: '/team', sensitivity: 'internal' });
    const passedOn = await scene.say(peer, {
      path: '/team',
      sensitivity: 'personal',
      by: [`${name}@${scene.account.key}.example`],
    });
    const body = { skill, peer_key: peer, scope_path: '/team/deep' };
    const report = dataOf(await ask(body, half));
    const ids = (key: string) => itemOf(report, key)['matched_knowledge_ids'];
    expect([ids('one')].flat().toSorted()).toEqual([curated, open, passedOn].toSorted());
    // Who said a statement is not shown where the caller reads as itself.
    expect(ids('asked')).toEqual([curated]);
  });

  test('a card in a scope that the caller may not read is missing, like one that was never there', async () => {
    const name = `shut-${n}`;
    const shut = await scene.account.person(name, { role: 'reader' });
    await scene.account.grant(`${name}@${scene.account.key}.example`, {
      scope: '/team',
      effect: 'deny',
    });
    const before = dataOf(await ask({ skill }, shut));
    await scene.publish({ skill, requirements: [requirement()] });
    const after = dataOf(await ask({ skill }, shut));
    expect({ ...after, checked_at: null }).toEqual({ ...before, checked_at: null });
  });

  test('hidden statements in any number change nothing in a report', async () => {
    await scene.publish({ skill, requirements: [requirement({ selector: { subject: 'peer' } })] });
    const name = `near-${n}`;
    const near = await scene.account.person(name, { role: 'reader' });
    await scene.account.grant(`${name}@${scene.account.key}.example`, {
      scope: '/team/deep',
      role: 'curator',
    });
    const seen = await scene.say(peer, { since: daysAgo(9) });
    const body = { skill, peer_key: peer, scope_path: '/team/deep' };
    const before = itemOf(dataOf(await ask(body, near)));
    expect(before['matched_knowledge_ids']).toEqual([seen]);
    for (let at = 0; at < 60; at += 1) {
      await scene.say(peer, { sensitivity: 'personal', by: ['somebody'] });
    }
    expect(itemOf(dataOf(await ask(body, near)))).toEqual(before);
  });
});
