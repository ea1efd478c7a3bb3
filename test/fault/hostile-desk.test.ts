/**
 * One person decides, contests and lists as much as the limits allow, on a queue as long as a neglected one gets, while
 * another account goes on as before. `npm run test:hostile` makes the queue of its full length.
 */
import { describe } from '@jest/globals';
import { DESK_ATTACKS, fillDesk } from './hostile/desk.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { hostileSettings } from './hostile/settings.ts';

const settings = hostileSettings(process.env);

describe('while one account keeps its desk busy', () => {
  testAttacks(() => startHostileScene(settings, {}, fillDesk), DESK_ATTACKS);
});
