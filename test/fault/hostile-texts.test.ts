/**
 * One account says and hands in the worst that every documented limit allows, while another goes on as before: it must
 * not notice. In full: the short run sends little of each (`hostile.test.ts`).
 */
import { describe } from '@jest/globals';
import { READING_ATTACKS } from './hostile/attacks.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { HOSTILE_SETTINGS } from './hostile/settings.ts';

describe('while one account sends observations and documents that are expensive to read', () => {
  testAttacks(() => startHostileScene(HOSTILE_SETTINGS), READING_ATTACKS);
});
