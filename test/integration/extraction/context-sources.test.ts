/** A question that a statement takes along is cited, and says nothing of the statement; with its speaker it goes. On real Postgres. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { erase } from '../erasure/erase.ts';
import { Scene } from '../observations/scene.ts';
import { drain, statements } from './scene.ts';

const QUESTION = 'How did you get into beekeeping?';
const ANSWER = 'My uncle got me into it.';
const TOLD = 'Ada\'s uncle got Ada into it [asked: "How did you get into beekeeping"]';

let scene: Scene;
beforeAll(async () => {
  scene = await Scene.open();
});
afterAll(() => scene.close());

async function asked() {
  const account = await scene.account();
  const agent = await scene.caller(account, { key: 'agent' });
  let minutes = 0;
  const say = (speaker: string, content: string) => {
    minutes += 1;
    return scene.ingest(agent, {
      session_id: 's',
      scope_path: '/team',
      peer_key: speaker.toLowerCase(),
      peer_name: speaker,
      content,
      occurred_at: new Date(Date.UTC(2024, 0, 1) + minutes * 60_000).toISOString(),
    });
  };
  await say('Ada', 'Hello there!');
  await say('Bo', QUESTION);
  await say('Ada', ANSWER);
  await drain(scene, account);
  const peer = async (key: string): Promise<string> => {
    const [row] = await scene.rows('select id from peers where account_id = $1 and key = $2', [
      account,
      key,
    ]);
    return String(row?.['id']);
  };
  return { account, peer, say };
}

const COUNTS = `select k.source_count, k.corroboration_count, k.submitter_count, first.key as first_attester,
    (select array_agg(p.key order by p.key) from knowledge_submitters s join peers p on p.id = s.peer_id
     where s.knowledge_id = k.id) as submitters,
    (select array_agg(p.key order by p.key) from knowledge_attesters a join peers p on p.id = a.peer_id
     where a.knowledge_id = k.id) as attesters
  from knowledge k left join peers first on first.id = k.first_attester_id
  where k.account_id = $1`;

describe('the question that explains an answer', () => {
  test('is a source, and attests and submits nothing', async () => {
    const { account } = await asked();
    expect(await statements(scene, account)).toMatchObject([
      { statement: TOLD, subject: 'ada', evidence_level: 'direct', sources: 2 },
    ]);
    const expected = {
      source_count: 2,
      corroboration_count: 1,
      first_attester: 'ada',
      submitters: ['ada', 'agent'],
      attesters: ['ada'],
    };
    expect(await scene.rows(COUNTS, [account])).toMatchObject([expected]);
    await scene.admin.query(
      'select recount_evidence($1, array(select id from knowledge where account_id = $1))',
      [account],
    );
    expect(await scene.rows(COUNTS, [account])).toMatchObject([expected]);
  });

  test('takes the statement with it when its speaker is erased, because it holds their words', async () => {
    const { account, peer } = await asked();
    await erase(scene, account, await peer('bo'), 'proportionate');
    const texts = (await statements(scene, account)).map(({ statement }) => String(statement));
    expect(texts.join(' ')).not.toContain('beekeeping');
  });

  test('leaves a statement alone that it does not explain', async () => {
    const { account, peer, say } = await asked();
    await say('Ada', 'My uncle keeps bees in Tartu.');
    await drain(scene, account);
    await erase(scene, account, await peer('bo'), 'proportionate');
    expect(await statements(scene, account)).toContainEqual(
      expect.objectContaining({ statement: "Ada's uncle keeps bees in Tartu." }),
    );
  });
});
