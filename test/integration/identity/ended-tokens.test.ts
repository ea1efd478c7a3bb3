/** Tokens and sessions that have ended go, and an erasure costs no more where a person signed in ten thousand times. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MOST_GOOD_TOKENS } from '../../../domain/identity/token-bounds.ts';
import { listKeys } from '../../../operations/identity/keys.ts';
import { signIn } from '../../../operations/identity/sign-in.ts';
import { createUser } from '../../../operations/identity/users.ts';
import { request, takeAll } from '../erasure/erase.ts';
import { createScene, PASSWORD, type Scene } from './scene.ts';

const DAY_MS = 86_400_000;

let scene: Scene;
let accountId: string;

beforeAll(async () => {
  scene = await createScene();
  ({ accountId } = await scene.bootstrap());
});
afterAll(() => scene.close());

let people = 0;

async function person() {
  people += 1;
  const email = `person${people}@example.org`;
  const who = { email, name: 'P', role: 'reader', scope: '/', password: PASSWORD };
  const { data } = await scene
    .run(createUser, who)
    .then(() => scene.run(signIn, { email, password: PASSWORD }));
  return { email, peerId: data.peer_id };
}

/** Gives the person tokens that end so many milliseconds from now. */
async function give(peerId: string, count: number, endsInMs: number): Promise<void> {
  await scene.rows(
    `insert into credentials (account_id, id, kind, secret_hash, peer_id, login_id, login_epoch, expires_at)
     select l.account_id, gen_random_uuid(), 'password_token', sha256(gen_random_uuid()::text::bytea), l.peer_id, l.id,
       l.epoch, $3::timestamptz + make_interval(secs => n)
     from logins l cross join generate_series(1, $2::integer) n where l.peer_id = $1`,
    [peerId, count, new Date(scene.clock + endsInMs)],
  );
}

async function tokensOf(peerId: string): Promise<{ good: number; all: number }> {
  const [row] = await scene.rows(
    `select count(*)::integer as all, (count(*) filter (where revoked_at is null and expires_at > $2))::integer as good
     from credentials where peer_id = $1`,
    [peerId, new Date(scene.clock)],
  );
  return row as { good: number; all: number };
}

test('of the good tokens of a login a hundred stay good, and each sign-in removes some that ended long ago', async () => {
  const { email, peerId } = await person();
  await give(peerId, 150, 1_000);
  await give(peerId, 250, -31 * DAY_MS);
  await give(peerId, 10, -29 * DAY_MS);
  const { data } = await scene.run(signIn, { email, password: PASSWORD });
  expect(await tokensOf(peerId)).toEqual({ good: MOST_GOOD_TOKENS, all: 1 + 150 + 50 + 10 + 1 });
  expect(await scene.environment.authenticate(data.token)).not.toBeNull();
  await scene.run(signIn, { email, password: PASSWORD });
  expect(await tokensOf(peerId)).toEqual({ good: MOST_GOOD_TOKENS, all: 1 + 150 + 10 + 2 });
});

test('an erasure ends a person at once without a write for each token, and then all of them go', async () => {
  const { email, peerId } = await person();
  const { data } = await scene.run(signIn, { email, password: PASSWORD });
  await give(peerId, 450, -DAY_MS);
  const writes = async () =>
    (
      await scene.rows('select id from credentials where peer_id = $1 and revoked_at is not null', [
        peerId,
      ])
    ).length;
  const runId = await request(scene, accountId, peerId, 'proportionate');
  expect(await writes()).toBe(0);
  expect(await scene.environment.authenticate(data.token)).toBeNull();
  await takeAll(scene, { accountId, runId });
  expect(await tokensOf(peerId)).toEqual({ good: 0, all: 0 });
  const keys = await scene.run(listKeys, { account: 'community' });
  expect(keys.keys).toEqual([]);
});
