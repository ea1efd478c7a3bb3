import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { setSecretPolicy } from '../../../operations/governance/secrets.ts';
import { createScene, type Scene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
  await scene.bootstrap();
});
afterAll(() => scene.close());

test('a change is audited with both names, and twice the same changes nothing', async () => {
  expect(await scene.run(setSecretPolicy, { policy: 'refuse' })).toMatchObject({
    policy: 'refuse',
    previous_policy: 'keep',
    changed: true,
  });
  expect(await scene.run(setSecretPolicy, { policy: 'refuse' })).toMatchObject({ changed: false });
  const events = await scene.rows(
    "select category, metadata from audit_events where action = 'secret_policy.changed'",
  );
  expect(events).toEqual([{ category: 'governance', metadata: { from: 'keep', to: 'refuse' } }]);
});

test('an unknown policy is refused', async () => {
  await expect(scene.run(setSecretPolicy, { policy: 'mask' })).rejects.toMatchObject({
    code: 'invalid_request',
    fields: [{ path: 'policy' }],
  });
});
