/** What a reader may not read takes no places among the bounded numbers of rows that a read considers. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readStableProfile } from '../../../engine/retrieval/stable-profile.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import type { AccountScene, StatementInput } from './account.ts';
import { openSearchScene, texts, type SearchScene } from './scene.ts';

const MARCH = '2026-03-01T00:00:00.000Z';
const LATER_IN_MARCH = '2026-03-02T00:00:00.000Z';
const APRIL = '2026-04-01T00:00:00.000Z';

let scene: SearchScene;

beforeAll(async () => {
  scene = await openSearchScene();
});
afterAll(() => scene.close());

/** Statements of the same values, each of a text of its own, of a millisecond later than the one before. */
async function many(account: AccountScene, count: number, input: StatementInput): Promise<void> {
  const first = await account.statement(input);
  const values = [account.id, first, count - 1];
  const copied = `statement, kind, confidence, evidence_level, sensitivity, target_level, state, verification,
    corroboration_count, source_count, claim_about, claim_value, claim_mode, extracting_provider, pipeline_version`;
  await scene.sql(
    `insert into knowledge (account_id, id, scope_id, subject_peer_id, statement_hash, text_source_hash,
       text_occurred_at, recorded_at, updated_at, replaces_id, ${copied})
     select account_id, gen_random_uuid(), scope_id, subject_peer_id, sha256(n::text::bytea || statement_hash),
       text_source_hash, at, at, at, id, ${copied}
     from knowledge k, generate_series(1, $3::integer) n, lateral (select k.recorded_at + make_interval(secs => n / 1e3) as at)
     where k.account_id = $1 and k.id = $2`,
    values,
  );
  await scene.sql(
    `insert into knowledge_submitters (account_id, knowledge_id, peer_id, scope_id, state, confidence, recorded_at)
     select k.account_id, k.id, s.peer_id, k.scope_id, k.state::text, k.confidence, k.recorded_at from knowledge k
     join knowledge_submitters s on s.account_id = k.account_id and s.knowledge_id = k.replaces_id
     where k.account_id = $1 and k.replaces_id = $2`,
    values.slice(0, 2),
  );
  await scene.sql(
    `insert into belief_periods (account_id, id, knowledge_id, state, scope_id, target_level, sensitivity, confidence,
       believed_from, believed_until)
     select k.account_id, gen_random_uuid(), k.id, p.state, p.scope_id, p.target_level, p.sensitivity, p.confidence,
       k.recorded_at, p.believed_until
     from knowledge k join belief_periods p on p.account_id = k.account_id and p.knowledge_id = k.replaces_id
     where k.account_id = $1 and k.replaces_id = $2`,
    values.slice(0, 2),
  );
}

const profileOf = async (account: AccountScene) => {
  const scopeIds = [await account.scope('/'), await account.scope('/poc')];
  const reader = { posture: 'peer', peerId: await account.peer('anna') } as const;
  const at = '2026-06-01T12:00:00.000Z';
  return createInAccount(scene.pool)(account.id, (stores) =>
    readStableProfile(stores, { scopeIds, reader, at }),
  );
};

test('a profile is the same with newer statements about the person that the person may not read', async () => {
  const account = await scene.account();
  const claiming = (id: string, value: string) =>
    scene.sql(
      `update knowledge set claim_about = 'residence', claim_value = encode(sha256($2::text::bytea), 'hex'), claim_mode = 'holds', source_count = 1
       where id = $1`,
      [id, value],
    );
  await claiming(
    await account.statement({ text: 'Anna lives in Bergen.', recordedAt: MARCH }),
    'bergen',
  );
  await account.statement({ text: 'Anna likes tea.', recordedAt: MARCH });
  const before = await profileOf(account);
  expect(before).toMatchObject({
    items: [{ statement: 'Anna lives in Bergen.' }],
    considered: 2,
    eligible: 1,
  });
  const text = 'Anna lives in Oslo.';
  const hidden = { text, recordedAt: APRIL, submitters: ['bob'] };
  await many(account, 250, { ...hidden, path: '/elsewhere' });
  await many(account, 250, { ...hidden, state: 'provisional', sensitivity: 'personal' });
  await scene.sql(
    `update knowledge set claim_about = 'residence', claim_value = encode(sha256('oslo'), 'hex'), claim_mode = 'holds', source_count = 1
     where account_id = $1 and statement = $2`,
    [account.id, text],
  );
  expect(await profileOf(account)).toEqual(before);
});

test('a blank search of the past is the same with later provisional statements of others', async () => {
  const account = await scene.account();
  await account.statement({ text: 'Anna owns a boat', recordedAt: MARCH });
  const own = { text: 'Anna owns a heron', state: 'provisional', submitters: ['carol'] };
  await account.statement({ ...own, confidence: 0.5, recordedAt: MARCH });
  const carol = await account.caller({ peer: 'carol' });
  const past = async () =>
    texts(await scene.search(carol, { query: ' ', profile: 'fast', as_of: APRIL }));
  expect(await past()).toEqual(['Anna owns a boat', 'Anna owns a heron']);
  const hidden = { text: 'Anna owns a yacht', state: 'provisional', submitters: ['bob'] };
  await many(account, 1_100, { ...hidden, recordedAt: LATER_IN_MARCH });
  expect(await past()).toEqual(['Anna owns a boat', 'Anna owns a heron']);
});

test('a blank search of the past is the same with later statements that had ended by then, or that few may read', async () => {
  const account = await scene.account();
  await account.statement({ text: 'Anna owns a boat', recordedAt: MARCH });
  await many(account, 1_100, {
    text: 'Anna was at sea',
    recordedAt: LATER_IN_MARCH,
    periods: [{ from: LATER_IN_MARCH, until: '2026-03-03T00:00:00.000Z', state: 'active' }],
  });
  await many(account, 1_100, {
    text: 'Anna has a secret',
    sensitivity: 'personal',
    recordedAt: LATER_IN_MARCH,
  });
  const carol = await account.caller({ peer: 'carol' });
  const past = await scene.search(carol, { query: ' ', profile: 'fast', as_of: APRIL });
  expect(texts(past)).toEqual(['Anna owns a boat']);
});

test('a blank search of the past ranks by the age at the instant, whatever has changed since', async () => {
  const account = await scene.account();
  const january = '2026-01-01T00:00:00.000Z';
  const older = await account.statement({ text: 'Anna owns a boat', recordedAt: january });
  await account.statement({ text: 'Anna owns a heron', recordedAt: MARCH });
  const carol = await account.caller({ peer: 'carol' });
  const past = async () => scene.search(carol, { query: ' ', profile: 'fast', as_of: APRIL });
  const before = await past();
  expect(texts(before)).toEqual(['Anna owns a heron', 'Anna owns a boat']);
  await scene.sql('update knowledge set updated_at = now() where id = $1', [older]);
  expect((await past()).candidates).toEqual(before.candidates);
});
