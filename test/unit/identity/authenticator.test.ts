import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { createAuthenticator } from '../../../runtime/identity/authenticator.ts';
import { createSecretIssuer } from '../../../runtime/identity/secrets.ts';

const secrets = createSecretIssuer();

function caller(credentialId: string): Caller {
  return {
    accountId: 'account',
    credentialId,
    kind: 'machine',
    peerId: null,
    peerKey: null,
    pinPath: null,
    secretPolicy: 'keep',
    grants: [],
  };
}

/** A table of live credentials behind the authenticator, a clock to move, and a count of look-ups. */
function scene() {
  const live = new Map<string, { caller: Caller; expiresAt: Date | null }>();
  const state = { time: 1_000_000, lookUps: 0, delay: Promise.resolve(), slowness: 0 };
  const authenticate = createAuthenticator({
    clock: { now: () => new Date(state.time), monotonicMs: () => state.time },
    resolve: async (hash) => {
      state.lookUps += 1;
      const found = live.get(Buffer.from(hash).toString('hex')) ?? null;
      await state.delay;
      state.time += state.slowness;
      return found;
    },
  });
  const issue = (expiresAt: Date | null = null): { text: string; revoke(): void } => {
    const secret = secrets.apiKey();
    const key = Buffer.from(secret.hash).toString('hex');
    live.set(key, { caller: caller(secret.id), expiresAt });
    return { text: secret.text, revoke: () => live.delete(key) };
  };
  return { state, authenticate, issue };
}

describe('authentication', () => {
  test('remembers a caller for less than 5 seconds, and asks again after', async () => {
    const { state, authenticate, issue } = scene();
    const { text } = issue();
    await authenticate(text);
    state.time += 3_999;
    await authenticate(text);
    expect(state.lookUps).toBe(1);
    state.time += 1;
    await authenticate(text);
    expect(state.lookUps).toBe(2);
  });

  test('forgets a revoked credential within 5 seconds, however often it is used', async () => {
    const { state, authenticate, issue } = scene();
    const key = issue();
    expect(await authenticate(key.text)).not.toBeNull();
    key.revoke();
    const revokedAt = state.time;
    let last = revokedAt;
    while ((await authenticate(key.text)) !== null) {
      last = state.time;
      state.time += 250;
    }
    expect(last - revokedAt).toBeLessThan(5_000);
  });

  test('counts the age of an entry from before the look-up', async () => {
    const { state, authenticate, issue } = scene();
    const key = issue();
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    state.delay = promise;
    const asked = authenticate(key.text);
    key.revoke();
    state.time += 3_900;
    answer();
    expect(await asked).not.toBeNull();
    state.time += 100;
    expect(await authenticate(key.text)).toBeNull();
  });

  test('uses no answer of the database that is older than what it may remember', async () => {
    const { state, authenticate, issue } = scene();
    const key = issue();
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    state.delay = promise;
    const asked = authenticate(key.text);
    // The database has read that the key is good, and is slow to say so.
    key.revoke();
    state.time += 4_000;
    answer();
    expect(await asked).toBeNull();
    expect(state.lookUps).toBe(2);
  });

  test('gives up on a database that is too slow again and again', async () => {
    const { state, authenticate, issue } = scene();
    const { text } = issue();
    state.slowness = 4_000;
    await expect(authenticate(text)).rejects.toMatchObject({ code: 'unavailable' });
    expect(state.lookUps).toBe(3);
    state.slowness = 0;
    expect(await authenticate(text)).not.toBeNull();
  });

  test('ends a remembered caller at the instant its credential expires', async () => {
    const { state, authenticate, issue } = scene();
    const { text } = issue(new Date(state.time + 1_000));
    await authenticate(text);
    state.time += 999;
    expect(await authenticate(text)).not.toBeNull();
    state.time += 1;
    await authenticate(text);
    expect(state.lookUps).toBe(2);
  });

  test('makes no look-up for a text that cannot be a key or token', async () => {
    const { state, authenticate, issue } = scene();
    const { text } = issue();
    for (const wrong of ['', 'secret', `${text}x`, text.toLowerCase(), text.slice(1)]) {
      expect(await authenticate(wrong)).toBeNull();
    }
    expect(state.lookUps).toBe(0);
  });

  test('does not cache a refusal: a key works as soon as it exists', async () => {
    const { state, authenticate } = scene();
    const unknown = secrets.token().text;
    expect(await authenticate(unknown)).toBeNull();
    expect(await authenticate(unknown)).toBeNull();
    expect(state.lookUps).toBe(2);
  });

  test('looks up once for requests that arrive together', async () => {
    const { state, authenticate, issue } = scene();
    const { text } = issue();
    const all = await Promise.all(Array.from({ length: 20 }, () => authenticate(text)));
    expect(state.lookUps).toBe(1);
    expect(new Set(all).size).toBe(1);
  });

  test('asks again after a failed look-up', async () => {
    const { state, authenticate, issue } = scene();
    const { text } = issue();
    state.delay = Promise.reject(new Error('away'));
    await expect(authenticate(text)).rejects.toThrow('away');
    state.delay = Promise.resolve();
    expect(await authenticate(text)).not.toBeNull();
  });
});
