/**
 * One person decides, contests and lists as much as the limits allow, on a queue as long as a neglected one gets, while
 * another account goes on as before. In full: the short run has a short queue (`hostile.test.ts`).
 */
import { describe } from '@jest/globals';
import { DESK_ATTACKS, fillDesk } from './hostile/desk.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { HOSTILE_SETTINGS } from './hostile/settings.ts';

describe('while one account keeps its desk busy', () => {
  testAttacks(() => startHostileScene(HOSTILE_SETTINGS, {}, fillDesk), DESK_ATTACKS);
});
