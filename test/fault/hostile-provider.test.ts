/**
 * One account says what makes the model provider misbehave, or has a provider that does, while another account
 * with the same provider goes on as before: it must not notice.
 */
import { afterAll, describe } from '@jest/globals';
import {
  PROVIDER_ATTACKS,
  startHostileProvider,
  type HostileProvider,
} from './hostile/provider.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { HOSTILE_SETTINGS } from './hostile/settings.ts';

let provider: HostileProvider | undefined;
afterAll(() => provider?.stop());

async function start() {
  provider = await startHostileProvider(HOSTILE_SETTINGS);
  return startHostileScene(HOSTILE_SETTINGS, provider.environment);
}

describe('while the provider misbehaves for one account', () => {
  testAttacks(start, PROVIDER_ATTACKS);
});
