/**
 * One account says and hands in the worst that every documented limit allows, while another goes on as before: it must
 * not notice. A long run sends all of it, a short one little of each.
 */
import { describe } from '@jest/globals';
import { DOCUMENT_ATTACKS } from './hostile/documents.ts';
import { HISTORY_ATTACKS, TEXT_ATTACKS, TEXTS_ALONE } from './hostile/observations.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { HOSTILE_SETTINGS } from './hostile/settings.ts';

describe('while one account sends observations and documents that are expensive to read', () => {
  testAttacks(
    () => startHostileScene(HOSTILE_SETTINGS),
    [
      ...TEXT_ATTACKS,
      ...HISTORY_ATTACKS,
      ...DOCUMENT_ATTACKS,
      ...(HOSTILE_SETTINGS.eachAlone ? TEXTS_ALONE : []),
    ],
  );
});
