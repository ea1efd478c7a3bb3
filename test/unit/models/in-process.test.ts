/**
 * Work of the built-in provider beside extraction: under a ledger row, for a role that names it, and asked by `model check`;
 * without a row where it embeds.
 */
import { expect, test } from '@jest/globals';
import { ModelFailure } from '../../../domain/error-class.ts';
import { checkRoles } from '../../../engine/models/check.ts';
import { callContext, gatewayOf, NO_ROLES } from './fixtures.ts';
import { recordingLedger } from './recording-ledger.ts';

const BUILT_IN = {
  provider: 'deterministic',
  model: 'rules',
  modelVersion: '1',
  dimensions: null,
} as const;

function setUp(agent: (typeof NO_ROLES)['dialectic_agent'] = BUILT_IN) {
  const { ledger, rows } = recordingLedger();
  return { gateway: gatewayOf({ ledger, roles: { ...NO_ROLES, dialectic_agent: agent } }), rows };
}

test('is done once, with a row that says that nothing was used', async () => {
  const { gateway, rows } = setUp();
  expect(await gateway.inProcess('dialectic_agent', callContext(), () => 7)).toBe(7);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    attempt: { role: 'dialectic_agent', identity: { provider: 'deterministic', model: 'rules' } },
    outcome: { status: 'success', metered: true, inputTokens: 0, outputTokens: 0 },
  });
});

test('is not done for a role that names another provider, or none', async () => {
  const { gateway, rows } = setUp(NO_ROLES.dialectic_agent);
  const work = (): never => {
    throw new TypeError('nobody may do this');
  };
  await expect(gateway.inProcess('dialectic_agent', callContext(), work)).rejects.toEqual(
    new ModelFailure('model_not_configured'),
  );
  expect(rows).toEqual([]);
});

test('that fails is a failure of its row', async () => {
  const { gateway, rows } = setUp();
  const work = (): never => {
    throw new TypeError('defect');
  };
  await expect(gateway.inProcess('dialectic_agent', callContext(), work)).rejects.toThrow(
    'internal_error',
  );
  expect(rows[0]?.outcome).toMatchObject({ status: 'error', errorClass: 'internal_error' });
});

test('is checked without an observation to read', async () => {
  const { gateway, rows } = setUp();
  const checks = await checkRoles(gateway, callContext(), () => 0);
  expect(checks.find(({ role }) => role === 'dialectic_agent')).toMatchObject({ status: 'ok' });
  expect(rows.map(({ attempt }) => attempt.role)).toEqual(['dialectic_agent']);
});

test('on texts to embed leaves no row, and is told to the observer all the same', async () => {
  const { ledger, rows } = recordingLedger();
  const told: unknown[] = [];
  const embedder = { ...BUILT_IN, dimensions: 384 };
  const gateway = gatewayOf({
    ledger,
    roles: { ...NO_ROLES, embedder },
    observer: {
      attempt: (event) => void told.push(event),
      circuit: () => undefined,
      refused: () => undefined,
    },
  });
  const asked = await gateway.embed(['red canoe'], callContext({ purpose: 'query' }));
  expect(asked.vectors).toHaveLength(1);
  const kept = await gateway.embed(['red canoe'], callContext());
  expect(kept.vectors).toEqual(asked.vectors);
  expect(rows).toEqual([]);
  expect(told).toHaveLength(2);
  expect(told[0]).toMatchObject({ role: 'embedder', status: 'success' });
});

test.each(['query', 'document'] as const)(
  'on a %s that fails is a failure without a row',
  async (purpose) => {
    const { ledger, rows } = recordingLedger();
    const gateway = gatewayOf({
      ledger,
      roles: { ...NO_ROLES, embedder: { ...BUILT_IN, dimensions: 384 } },
      embedDeterministic: () => {
        throw new TypeError('defect');
      },
    });
    const asked = gateway.embed(['red canoe'], callContext({ purpose }));
    await expect(asked).rejects.toEqual(new ModelFailure('internal_error'));
    expect(rows).toEqual([]);
  },
);
