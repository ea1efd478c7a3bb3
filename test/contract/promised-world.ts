/** People with something that they may have taken back, and one act of each kind of promise by its own door. */
import { expect } from '@jest/globals';
import { addGrant, changeGrant, removeGrant } from '../../operations/identity/grants.ts';
import { revokeKey } from '../../operations/identity/keys.ts';
import { rotateKey } from '../../operations/identity/rotate-key.ts';
import { changePassword, disableUser, removeUser } from '../../operations/identity/user-access.ts';
import { eventually } from '../support/patience.ts';
import { dataOf, type Body, type OwnService } from '../support/service.ts';

/** Words that people chose. */
export const CANARIES = ['xylorimba', 'zanzibar', 'quokka'] as const;

/** Names of what the promises are about, with their ids. */
export type PromisedIds = Readonly<Record<string, string>>;

export interface PromisedWorld {
  readonly ids: PromisedIds;
  /** What the promises are about, as rows. */
  standing(): Promise<Record<string, unknown>>;
  /** One act of each kind. */
  promiseAll(): Promise<void>;
}

/** Makes the people and what they said. */
export async function makePromisedWorld(service: OwnService): Promise<PromisedWorld> {
  const tokens: Record<string, string> = {};
  const ids: Record<string, string> = {};

  const post = (token: string, path: string, json: Body = {}, method = 'POST') =>
    service.call({ path, token, method, json });

  async function said(peer: string, content: string): Promise<string> {
    const told = await service.ingestAndWait(String(tokens['relay']), {
      peer_key: peer,
      session_id: `said-${peer}-${content.length}`,
      content,
    });
    return String(told.knowledge[0]?.['id']);
  }

  /** What the promises are about, as rows. */
  async function standing(): Promise<Record<string, unknown>> {
    const one = async (query: string, ...values: unknown[]) =>
      Object.values((await service.rows(query, values))[0] ?? {})[0] ?? null;
    const state = (name: string) =>
      one(
        `select state || case when is_withheld then ', withheld' else '' end from knowledge where id = $1`,
        ids[name],
      );
    return {
      redacted: await state('redacted'),
      contested: await state('contested'),
      withheld: await state('withheld'),
      rejected: await state('rejected'),
      takenBack: await state('taken back'),
      unshared: await one('select status from consents where knowledge_id = $1', ids['shared']),
      document: await one(
        'select is_withdrawal from document_versions where document_id = $1 order by version desc limit 1',
        ids['document'],
      ),
      denied: await one(
        `select scope_path from grants g join peers p on p.id = g.peer_id where p.key = 'denied' and effect = 'deny'`,
      ),
      removedGrant: await one('select id from grants where id = $1', ids['removed grant']),
      loweredGrant: await one('select role from grants where id = $1', ids['lowered grant']),
      members: await one(
        'select count(*)::integer from circle_members where circle_id = $1',
        ids['circle'],
      ),
      deletedCircle: await one('select id from circles where id = $1', ids['deleted circle']),
      revokedKey: await one(
        'select revoked_at is not null from credentials where id = $1',
        ids['key'],
      ),
      rotatedKey: await one(
        'select revoked_at is not null or expires_at is not null from credentials where id = $1',
        ids['rotated key'],
      ),
      disabled: await one(
        'select closed_at is not null from logins where id = $1',
        ids['disabled'],
      ),
      removed: await one('select email from logins where id = $1', ids['removed']),
      erasing: await one('select erasing_at is not null from peers where id = $1', ids['alice']),
    };
  }

  const idOf = async (query: string, ...values: unknown[]) =>
    String((await service.rows(query, values))[0]?.['id']);

  async function grantOf(peer: string): Promise<string> {
    return idOf(
      'select g.id from grants g join peers p on p.id = g.peer_id where p.key = $1',
      peer,
    );
  }

  async function circle(name: string): Promise<string> {
    const members = ['bob', 'carl'];
    const body = { scope_path: '/team', name, members };
    const made = await post(String(tokens['curator']), '/api/v1/governance/circles', body, 'PUT');
    return String(dataOf(made)['id']);
  }

  /** People and what they said, before the backup. */
  async function makeWorld(): Promise<void> {
    const { home } = service;
    await home.preset('unattended');
    tokens['relay'] = (await home.agent('relay')).token;
    for (const name of ['redacted', 'contested', 'withheld', 'rejected', 'shared', 'taken back'])
      ids[name] = await said('bob', `I collect ${name} ${CANARIES[2]} stamps.`);
    await said('alice', `I play the ${CANARIES[0]}.`);
    await said('carl', 'I like tea.');
    tokens['bob'] = await home.person('bob', { peer: 'bob' });
    tokens['alice'] = await home.person('alice', { peer: 'alice' });
    tokens['curator'] = await home.person('curator', { role: 'curator' });
    for (const name of ['disabled', 'removed', 'password', 'denied', 'lowered'])
      tokens[name] = await home.person(name, { role: 'curator' });
    for (const name of ['disabled', 'removed', 'password'])
      ids[name] = await idOf('select id from logins where email = $1', home.emailOf(name));
    ids['alice'] = await idOf(`select id from peers where key = 'alice'`);
    await service.rows(`update peers set key = 'denied' where key = $1`, [home.emailOf('denied')]);
    ids['key'] = (await home.agent('keyed')).id;
    ids['rotated key'] = (await home.agent('rotated')).id;
    ids['removed grant'] = await grantOf('keyed');
    ids['lowered grant'] = await grantOf(home.emailOf('lowered'));
    ids['circle'] = await circle('small');
    ids['deleted circle'] = await circle(`a-${CANARIES[0]}`);
    const uploaded = await post(tokens['bob'], '/api/v1/documents', {
      scope_path: '/team',
      media_type: 'text/plain',
      external_id: `${CANARIES[0]}.txt`,
      content_base64: Buffer.from('Carl repairs canoes.').toString('base64'),
    });
    ids['document'] = String(dataOf(uploaded)['document_id']);
    const version = String(dataOf(uploaded)['document_version_id']);
    await eventually(async () => {
      const path = `/api/v1/documents/${version}`;
      return (
        dataOf(await service.call({ path, token: String(tokens['bob']) }))['status'] === 'completed'
      );
    });
    // A question to the subject that only an approval by policy would spare.
    await service.rows(
      `insert into consents (account_id, id, knowledge_id, subject_peer_id, target_scope_id, channel)
     select account_id, $2, id, subject_peer_id, scope_id, 'api' from knowledge where id = $1`,
      [ids['shared'], (ids['consent'] = '01990000-0000-7000-8000-0000000000c0')],
    );
    await service.quiet();
  }

  /** One act of each kind, by its own door. */
  async function promiseAll(): Promise<void> {
    const { home } = service;
    const own = (name: string, action: string) =>
      post(String(tokens['bob']), `/api/v1/self/knowledge/${String(ids[name])}/${action}`);
    const answers = [
      await own('redacted', 'redact'),
      await own('contested', 'contest'),
      await own('rejected', 'contest'),
      await own('taken back', 'withdraw'),
      await post(String(tokens['curator']), '/api/v1/governance/reviews', {
        knowledge_id: ids['withheld'],
        reason: `${CANARIES[1]} says otherwise`,
        withhold: true,
      }),
      await post(String(tokens['bob']), `/api/v1/self/consents/${String(ids['consent'])}`, {
        decision: 'deny',
      }),
      await service.call({
        method: 'DELETE',
        path: `/api/v1/documents/${String(ids['document'])}`,
        token: String(tokens['bob']),
      }),
      await post(
        String(tokens['curator']),
        '/api/v1/governance/circles',
        { scope_path: '/team', name: 'small', remove: ['carl'] },
        'PUT',
      ),
      await service.call({
        method: 'DELETE',
        path: `/api/v1/governance/circles?scope_path=/team&name=a-${CANARIES[0]}`,
        token: String(tokens['curator']),
      }),
    ];
    const item = await idOf(
      `select id from review_items where knowledge_id = $1 and kind = 'contest'`,
      ids['rejected'],
    );
    const [row] = await service.rows('select version from review_items where id = $1', [item]);
    answers.push(
      await post(String(tokens['curator']), `/api/v1/governance/reviews/${item}/reject`, {
        version: row?.['version'],
      }),
    );
    expect(answers.map(({ status, text }) => (status < 300 ? 'ok' : text))).toEqual(
      answers.map(() => 'ok'),
    );
    const account = home.key;
    await service.operate(addGrant, {
      account,
      peer: 'denied',
      scope: `/team/${CANARIES[1]}`,
      role: 'reader',
      effect: 'deny',
    });
    await service.operate(removeGrant, { account, id: ids['removed grant'] });
    await service.operate(changeGrant, { account, id: ids['lowered grant'], role: 'reader' });
    await service.operate(revokeKey, { account, id: ids['key'] });
    await service.operate(rotateKey, { account, id: ids['rotated key'], grace_seconds: 3600 });
    await service.operate(disableUser, { account, email: home.emailOf('disabled') });
    await service.operate(removeUser, { account, email: home.emailOf('removed') });
    await service.operate(changePassword, {
      account,
      email: home.emailOf('password'),
      password: 'another horse battery',
    });
    const erasure = await post(String(tokens['alice']), '/api/v1/self/erasure', { mode: 'strict' });
    ids['erasure'] = String(dataOf(erasure)['id']);
  }

  await makeWorld();
  return { ids, standing, promiseAll };
}
