/**
 * One account says and hands in the worst that every documented limit allows, while another goes on as before: it must
 * not notice. `npm run test:hostile` sends all of it; a run beside the other tests sends little of each.
 */
import { describe } from '@jest/globals';
import { DOCUMENT_ATTACKS } from './hostile/documents.ts';
import { HISTORY_ATTACKS, TEXT_ATTACKS, TEXTS_ALONE } from './hostile/observations.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { hostileSettings } from './hostile/settings.ts';

const settings = hostileSettings(process.env);

describe('while one account sends observations and documents that are expensive to read', () => {
  testAttacks(
    () => startHostileScene(settings),
    [
      ...TEXT_ATTACKS,
      ...HISTORY_ATTACKS,
      ...DOCUMENT_ATTACKS,
      ...(settings.eachAlone ? TEXTS_ALONE : []),
    ],
  );
});
