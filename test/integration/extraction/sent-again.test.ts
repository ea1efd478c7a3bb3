/** A conversation that is sent again without keys is read with the same messages before it, so it says the same. On real Postgres. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Scene } from '../observations/scene.ts';
import { drain, statements } from './scene.ts';

/** Who says what, each a minute after the one before. */
const CONVERSATION: readonly (readonly [string, string])[] = [
  ['Ada', 'I opened a pottery studio in Tartu.'],
  ['Bo', 'How did you get into pottery?'],
  ['Ada', 'My uncle got me into it.'],
  ['Bo', 'Lovely!'],
  ['Ada', 'Thank you!'],
  ['Bo', 'What do you make?'],
  ['Ada', 'Mostly bowls and cups.'],
  ['Bo', 'Where do you sell them?'],
  ['Ada', 'At the market in Tartu.'],
  ['Bo', 'Nice! What about the weekend?'],
  ['Ada', 'We went to the beach in Parnu. The kids had such a blast.'],
];

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

async function conversation() {
  const account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  const send = async (drainEach: boolean): Promise<void> => {
    for (const [index, [speaker, content]] of CONVERSATION.entries()) {
      await scene.ingest(agent, {
        session_id: 's',
        scope_path: '/team',
        peer_key: speaker.toLowerCase(),
        peer_name: speaker,
        content,
        occurred_at: new Date(Date.UTC(2024, 0, 1, 9, index)).toISOString(),
      });
      if (drainEach) await drain(scene, account);
    }
    await drain(scene, account);
  };
  const said = async () =>
    (await statements(scene, account)).map(({ statement }) => String(statement)).toSorted();
  return { send, said };
}

describe('a conversation that is sent again without keys', () => {
  test.each([
    ['read one by one', true],
    ['read as a whole', false],
  ])('adds no statement, three times over, %s', async (_how, drainEach) => {
    const { send, said } = await conversation();
    await send(drainEach);
    const first = await said();
    expect(first).toContain('Ada\'s uncle got Ada into it [asked: "How did you get into pottery"]');
    for (let again = 0; again < 2; again += 1) {
      await send(drainEach);
      expect(await said()).toEqual(first);
    }
  });
});
