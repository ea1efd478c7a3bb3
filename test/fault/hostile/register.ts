/** Makes a test of each attack, on one scene. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MOST_TRIES, type Attack, type HostileScene } from './scene.ts';
import { HOSTILE_SETTINGS } from './settings.ts';

/** A long queue is made before the attacks on it: minutes on a busy machine. */
const START_WITHIN_MS = 900_000;
/** Twice what all tries of an attack may take until all that they sent has a status. */
const ATTACK_WITHIN_MS = 2 * MOST_TRIES * HOSTILE_SETTINGS.settledWithinMs;

/** Registers a test for each attack. What is complained of says itself what was wrong. */
export function testAttacks(start: () => Promise<HostileScene>, attacks: readonly Attack[]): void {
  let scene: HostileScene | undefined;
  beforeAll(async () => void (scene = await start()), START_WITHIN_MS);
  afterAll(() => scene?.close(), START_WITHIN_MS);
  for (const attack of attacks) {
    test(
      attack.title,
      async () => expect(await scene?.complaints(attack)).toEqual([]),
      ATTACK_WITHIN_MS,
    );
  }
}
