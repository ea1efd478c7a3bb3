/** What runs in the copy, on its own code. */

/** A test that sends an observation, extracts it with the built-in extractor, and reads how it was said. */
export const MOOD_TEST = `
import { expect, test } from '@jest/globals';
import { EVERYTHING } from '../../../domain/governance/visibility.ts';
import { createInAccount } from '../../../stores/postgres/in-account.ts';
import { drain, pipeline, usePreset } from './scene.ts';
import { Scene } from '../observations/scene.ts';

test('the field is extracted, written and read', async () => {
  const scene = await Scene.open();
  const account = await scene.account();
  await usePreset(scene, account, 'assisted');
  await scene.ingest(await scene.caller(account, { key: 'relay' }), { content: 'I like tea.' });
  await drain(scene, account, pipeline(scene));
  const { rows } = await scene.admin.query('select mood from knowledge');
  expect(rows).toEqual([{ mood: 'glad' }]);
  const read = await createInAccount(scene.pool)(account, ({ knowledge }) =>
    knowledge.read({
      selection: { by: 'listing', limit: 10 },
      visible: EVERYTHING,
      reader: { reader: { posture: 'internal' }, scopeIds: [] },
    }),
  );
  expect(read.map(({ mood }) => mood)).toEqual(['glad']);
  await scene.close();
});
`;

/** Writes a preset by the copy's own store, and prints what the gates and people read of it. */
export const WRITE_RULES = `
import { presetRules } from './domain/governance/presets.ts';
import { createInAccount } from './stores/postgres/in-account.ts';
import { openPool } from './stores/postgres/pool.ts';
const pool = await openPool(process.env.DATABASE_URL, { maxPoolSize: 1 });
const ages = await createInAccount(pool)(process.env.ACCOUNT, async ({ gateRules }) => {
  await gateRules.replaceAccountWide(presetRules('strict'), new Date());
  const [rules, rows] = [await gateRules.ofPlaces([]), await gateRules.inForce()];
  return [...rules.map((rule) => rule.trialHours), ...rows.map((row) => row.trial_hours)];
});
console.log(JSON.stringify(ages));
await pool.end();
`;
