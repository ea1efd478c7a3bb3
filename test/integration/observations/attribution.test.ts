import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

interface Said {
  readonly speaker: unknown;
  readonly relay: unknown;
  readonly kind: unknown;
  readonly name: unknown;
}

async function said(messageId: string): Promise<Said> {
  const [row] = await scene.rows(
    `select s.key as speaker, r.key as relay, s.kind, s.name from messages m
     join peers s on s.account_id = m.account_id and s.id = m.speaker_peer_id
     left join peers r on r.account_id = m.account_id and r.id = m.relay_peer_id where m.id = $1`,
    [messageId],
  );
  if (row === undefined) throw new Error('no message');
  return { speaker: row['speaker'], relay: row['relay'], kind: row['kind'], name: row['name'] };
}

describe('the speaker of an observation', () => {
  test('1: a machine credential relays, and the turn is attributed to the named speaker', async () => {
    const account = await scene.account();
    const agent = await scene.caller(account, { key: 'agent' });
    const { message_id } = await scene.ingest(agent, { peer_key: ' alice ', peer_name: 'Alice' });
    expect(await said(message_id)).toEqual({
      speaker: 'alice',
      relay: 'agent',
      kind: 'human',
      name: 'Alice',
    });
  });

  test('2: a password session speaks as itself, whatever peer_key says', async () => {
    const account = await scene.account();
    const person = await scene.caller(account, { key: 'ann@example.org', kind: 'human' });
    const { message_id } = await scene.ingest(person, { peer_key: 'alice' });
    expect(await said(message_id)).toMatchObject({ speaker: 'ann@example.org', relay: null });
    expect(await scene.count('select from peers where account_id = $1', [account])).toBe(1);
  });

  test('3: a caller without a peer must name the speaker', async () => {
    const account = await scene.account();
    const machine = await scene.caller(account, { key: null });
    await expect(scene.ingest(machine, { peer_key: ' ' })).rejects.toMatchObject({
      code: 'invalid_request',
      fields: [{ path: 'peer_key' }],
    });
    const { message_id } = await scene.ingest(machine, { peer_key: 'alice' });
    expect(await said(message_id)).toMatchObject({ speaker: 'alice', relay: null });
  });

  test('4: relaying transfers no authority, and an existing peer is resolved, not rewritten', async () => {
    const account = await scene.account();
    const boss = await scene.caller(account, { key: 'boss', role: 'account_admin' });
    const agent = await scene.caller(account, { key: 'agent', at: '/team' });
    await expect(
      scene.ingest(agent, { peer_key: 'boss', scope_path: '/secret' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    const { message_id } = await scene.ingest(agent, {
      peer_key: 'boss',
      peer_name: 'Someone Else',
    });
    expect(await said(message_id)).toMatchObject({ speaker: 'boss', name: 'boss' });
    expect(boss.peerKey).toBe('boss');
    expect(await scene.count("select from scopes where path = '/secret'")).toBe(0);
  });

  test('5: a transcript of several speakers is one session, and all of them take part in it', async () => {
    const account = await scene.account();
    const agent = await scene.caller(account, { key: 'agent' });
    for (const peer_key of ['alice', 'bob', 'alice']) {
      await scene.ingest(agent, { peer_key, session_id: 'transcript' });
    }
    const participants = await scene.rows(
      `select p.key, sp.reads_whole_session from session_participants sp
       join peers p on p.account_id = sp.account_id and p.id = sp.peer_id
       where sp.account_id = $1 order by p.key`,
      [account],
    );
    expect(participants).toEqual([
      { key: 'alice', reads_whole_session: true },
      { key: 'bob', reads_whole_session: true },
    ]);
    expect(await scene.count('select from sessions where account_id = $1', [account])).toBe(1);
  });

  test.each([
    { session_id: undefined },
    { session_id: ' ' },
    { scope_path: null },
    { content: '' },
  ])('6: a missing required field is refused and nothing is written (%j)', async (missing) => {
    const account = await scene.account();
    const agent = await scene.caller(account, { key: 'agent' });
    await expect(scene.ingest(agent, missing)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await scene.count('select from sessions where account_id = $1', [account])).toBe(0);
  });

  test('a peer first seen in a role that is no evidence is an agent', async () => {
    const account = await scene.account();
    const agent = await scene.caller(account, { key: 'agent' });
    const { message_id } = await scene.ingest(agent, { peer_key: 'helper', role: 'assistant' });
    expect(await said(message_id)).toMatchObject({ speaker: 'helper', kind: 'agent' });
  });
});
