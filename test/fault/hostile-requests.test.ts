/**
 * One account sends requests and queries of the worst kind that every documented limit allows, while another goes on as
 * before: it must not notice. A long run sends all of it, a short one little of each.
 */
import { describe } from '@jest/globals';
import { BODIES_ALONE, BODY_ATTACKS } from './hostile/bodies.ts';
import { CONNECTION_ATTACKS } from './hostile/connections.ts';
import { QUERIES_ALONE, QUERY_ATTACKS } from './hostile/queries.ts';
import { testAttacks } from './hostile/register.ts';
import { startHostileScene } from './hostile/scene.ts';
import { TOOL_ATTACKS } from './hostile/tools.ts';
import { HOSTILE_SETTINGS } from './hostile/settings.ts';

describe('while one account sends requests that are expensive to answer', () => {
  testAttacks(
    () => startHostileScene(HOSTILE_SETTINGS),
    [
      ...BODY_ATTACKS,
      ...CONNECTION_ATTACKS,
      ...QUERY_ATTACKS,
      ...TOOL_ATTACKS,
      ...(HOSTILE_SETTINGS.eachAlone ? [...BODIES_ALONE, ...QUERIES_ALONE] : []),
    ],
  );
});
