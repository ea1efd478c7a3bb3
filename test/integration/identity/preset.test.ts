import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listRules, removeRule, setRule } from '../../../operations/governance/operator-rules.ts';
import { setPreset } from '../../../operations/governance/preset.ts';
import { createScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterAll(() => scene.close());

async function placedCells(): Promise<string[]> {
  const { rules } = await scene.run(listRules, {});
  return rules
    .filter(({ gate_a, gate_b }) => gate_a === 'auto_keep' && gate_b === 'auto_place')
    .map(({ target_level, sensitivity }) => `${target_level} ${sensitivity}`);
}

test('a change of preset changes the rules in force, and twice the same changes nothing', async () => {
  expect(await placedCells()).toEqual([]);
  expect(await scene.run(setPreset, { preset: 'assisted' })).toMatchObject({
    previous_preset: 'strict',
    changed: true,
  });
  expect(await placedCells()).toEqual(['peer public', 'peer internal']);
  expect(await scene.run(setPreset, { preset: 'assisted' })).toMatchObject({
    changed: false,
    run_id: null,
  });
  await scene.run(setPreset, { preset: 'unattended' });
  expect(await placedCells()).toHaveLength(9);
});

test('old rules are retired, not erased, and the change is audited with both names', async () => {
  const [rules] = await scene.rows(
    'select count(*)::int as total, count(retired_at)::int as retired from gate_rules',
  );
  expect(rules).toEqual({ total: 36, retired: 24 });
  const events = await scene.rows(
    "select metadata from audit_events where action = 'gate_preset.changed' order by id",
  );
  expect(events.map(({ metadata }) => metadata)).toEqual([
    { from: 'strict', to: 'assisted' },
    { from: 'assisted', to: 'unattended' },
  ]);
});

test('every change enters a run of the gates, for the relay to start', async () => {
  const runs = await scene.rows('select id, kind, status, dispatched_at from pipeline_runs');
  expect(runs).toHaveLength(2);
  const { run_id: id } = await scene.run(setPreset, { preset: 'assisted' });
  expect(await scene.rows('select id from pipeline_runs order by id desc limit 1')).toEqual([
    { id },
  ]);
  expect(runs[0]).toMatchObject({ kind: 'regate', status: 'pending', dispatched_at: null });
  await scene.run(setPreset, { preset: 'unattended' });
});

test('a rule of one scope stays through a change', async () => {
  await scene.rows(`
    insert into gate_rules (account_id, id, scope_id, target_level, sensitivity, gate_a, gate_b,
      minimum_evidence_level, minimum_corroboration)
    select s.account_id, gen_random_uuid(), s.id, 'peer', 'public', 'human', 'human', 'direct', 1
    from scopes s where s.path = '/'`);
  await scene.run(setPreset, { preset: 'strict' });
  const { rules } = await scene.run(listRules, {});
  expect(rules.filter(({ scope_path }) => scope_path === '/')).toHaveLength(1);
  expect(rules).toHaveLength(13);
});

test('the same preset takes back what was changed of its rules one by one', async () => {
  const cell = { target_level: 'peer', sensitivity: 'public' };
  await scene.run(setRule, { ...cell, changes: { minimum_confidence: 0.5 } });
  await scene.run(removeRule, { target_level: 'account', sensitivity: 'public' });
  expect(await scene.run(setPreset, { preset: 'strict' })).toMatchObject({ changed: true });
  const { rules } = await scene.run(listRules, {});
  expect(rules.filter(({ scope_path }) => scope_path === null)).toHaveLength(12);
  expect(rules.map(({ minimum_confidence }) => minimum_confidence)).not.toContain(0.5);
  expect(await scene.run(setPreset, { preset: 'strict' })).toMatchObject({ changed: false });
});

test('two changes at once leave one whole preset', async () => {
  await Promise.all([
    scene.run(setPreset, { preset: 'unattended' }),
    scene.run(setPreset, { preset: 'assisted' }),
  ]);
  const { rules } = await scene.run(listRules, {});
  expect(rules.filter(({ scope_path }) => scope_path === null)).toHaveLength(12);
});

test('an unknown preset is refused', async () => {
  await expect(scene.run(setPreset, { preset: 'lenient' })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'preset' }],
  });
});
