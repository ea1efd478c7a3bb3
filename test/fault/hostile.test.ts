/**
 * Everything that a hostile account does but for a provider that misbehaves, little of each and on one start, as a start
 * is what costs most. The long run has a file and a start for each kind instead.
 */
import { describe } from '@jest/globals';
import { READING_ATTACKS, REQUEST_ATTACKS } from './hostile/attacks.ts';
import { DESK_ATTACKS, fillDesk } from './hostile/desk.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { HOSTILE_SETTINGS } from './hostile/settings.ts';

describe('while one account is hostile', () => {
  testAttacks(
    () => startHostileScene(HOSTILE_SETTINGS, {}, fillDesk),
    [...REQUEST_ATTACKS, ...DESK_ATTACKS, ...READING_ATTACKS],
  );
});
