/** Work on a text that ran out of its time is late, not broken, and says nothing of a provider. */
import { expect, test } from '@jest/globals';
import { OffloadFailure } from '../../../engine/offload-failure.ts';
import { ownFailure } from '../../../engine/models/own-failure.ts';
import { ModelFailure } from '../../../domain/error-class.ts';
import { NO_ROLES, callContext, gatewayOf } from './fixtures.ts';
import { MemoryCircuits } from './memory-circuits.ts';
import { recordingLedger } from './recording-ledger.ts';

const LATE = new OffloadFailure('timeout');
const BUILT_IN = {
  provider: 'deterministic',
  model: 'rules',
  modelVersion: '1',
  dimensions: null,
} as const;
const RULES = { failures: 2, openMs: 30_000 };

test('a text that was late is tried again, a defect is one, a failure of a model stays what it is', () => {
  expect(ownFailure(LATE)).toMatchObject({ errorClass: 'request_timeout', isOurs: true });
  for (const defect of [new OffloadFailure('failed'), new Error('text'), 'text']) {
    expect(ownFailure(defect)).toMatchObject({ errorClass: 'internal_error', isOurs: true });
  }
  const refused = new ModelFailure('provider_rate_limited');
  expect(ownFailure(refused)).toBe(refused);
  expect(refused.isOurs).toBe(false);
});

test('masking that was late ends a call as late', async () => {
  const gateway = gatewayOf({
    ledger: recordingLedger().ledger,
    maskSecrets: () => Promise.reject(LATE),
  });
  await expect(gateway.mask(['a long paste'], callContext())).rejects.toMatchObject({
    errorClass: 'request_timeout',
    isOurs: true,
  });
});

test('texts that are late again and again open no circuit, which would keep back all others of the account', async () => {
  const circuits = new MemoryCircuits();
  const gateway = gatewayOf({
    ledger: recordingLedger().ledger,
    now: circuits.clock,
    roles: { ...NO_ROLES, dialectic_agent: BUILT_IN },
    circuit: { store: circuits, rules: RULES, ring: () => undefined },
  });
  const late = () =>
    gateway.inProcess('dialectic_agent', callContext(), () => Promise.reject(LATE));
  for (let times = 0; times < 2 * RULES.failures; times += 1) {
    await expect(late()).rejects.toMatchObject({ errorClass: 'request_timeout' });
  }
  await expect(gateway.inProcess('dialectic_agent', callContext(), () => 7)).resolves.toBe(7);
});
