import { expect, test } from '@jest/globals';
import { openActorClient } from '../../../runtime/actors/connection.ts';

const moment = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('a client that is closed between two tries ends the call, and no later try throws', async () => {
  // The discard port: nothing answers there, so the call is tried again and again.
  const client = openActorClient({ address: '127.0.0.1:9', namespace: 'x', identity: 'api-1' });
  const asked = client.connection
    .withDeadline(Date.now() + 3_600_000, () =>
      client.connection.workflowService.describeNamespace({ namespace: 'x' }),
    )
    .then(
      () => 'answered',
      () => 'ended',
    );
  expect(await Promise.race([asked, moment(700)])).toBeUndefined();
  await client.connection.close();
  // A try on the closed channel would throw out of a timer, which fails this test.
  expect(await asked).toBe('ended');
  await moment(1_500);
});
