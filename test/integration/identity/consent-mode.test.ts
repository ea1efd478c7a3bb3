import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setConsentMode } from '../../../operations/governance/consent.ts';
import { createScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterAll(() => scene.close());

test('a change is audited with both modes, and twice the same changes nothing', async () => {
  expect(await scene.run(setConsentMode, { mode: 'auto' })).toMatchObject({
    mode: 'auto',
    previous_mode: 'subject_required',
    changed: true,
  });
  expect(await scene.run(setConsentMode, { mode: 'auto' })).toMatchObject({ changed: false });
  const events = await scene.rows(
    "select category, metadata from audit_events where action = 'consent_mode.changed'",
  );
  expect(events).toEqual([
    { category: 'governance', metadata: { from: 'subject_required', to: 'auto' } },
  ]);
});

test('an unknown mode is refused', async () => {
  await expect(scene.run(setConsentMode, { mode: 'never' })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'mode' }],
  });
});
