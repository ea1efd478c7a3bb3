/**
 * One account sends requests and queries of the worst kind that every documented limit allows, while another goes on as
 * before: it must not notice. In full: the short run sends little of each (`hostile.test.ts`).
 */
import { describe } from '@jest/globals';
import { REQUEST_ATTACKS } from './hostile/attacks.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { HOSTILE_SETTINGS } from './hostile/settings.ts';

describe('while one account sends requests that are expensive to answer', () => {
  testAttacks(() => startHostileScene(HOSTILE_SETTINGS), REQUEST_ATTACKS);
});
