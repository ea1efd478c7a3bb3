import { expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import type { TokenShare } from '../../../domain/models/token-limits.ts';
import { refusalLog } from '../../../runtime/container/models.ts';
import {
  createRefusalMetrics,
  watchTokenShares,
} from '../../../runtime/telemetry/token-metrics.ts';
import { parsePrometheus } from '../../support/prometheus.ts';

const ACCOUNT = '01890000-0000-7000-8000-000000000001';
const REFUSED = {
  accountId: ACCOUNT,
  role: 'dream_reasoner',
  errorClass: 'token_budget_exhausted',
} as const;

test('the share of each limit is shown while it is known, and read once in five seconds', async () => {
  const registry = new Registry();
  const clock = { ms: 0 };
  let answer: readonly TokenShare[] | null = [
    { role: '*', metric: 'input_tokens', share: 0.25 },
    { role: 'embedder', metric: 'embedding_tokens', share: null },
  ];
  let asked = 0;
  const read = watchTokenShares(
    registry,
    async () => {
      asked += 1;
      if (answer === null) throw new Error('away');
      return answer;
    },
    () => clock.ms,
  );
  const seen = async () => {
    await read();
    return parsePrometheus(await registry.metrics());
  };
  const share = { role: '*', metric: 'input_tokens' };
  expect((await seen()).sum('vouch_token_budget_share', share)).toBe(0.25);
  await seen();
  expect(asked).toBe(1);
  expect((await seen()).sum('vouch_token_budget_share', { role: 'embedder' })).toBeNull();
  answer = null;
  clock.ms += 5_000;
  expect((await seen()).sum('vouch_token_budget_share', share)).toBeNull();
});

test('every refused call is counted by role and class, and names no account', async () => {
  const registry = new Registry();
  const refused = createRefusalMetrics(registry);
  refused(REFUSED);
  refused(REFUSED);
  const text = await registry.metrics();
  const labels = { role: 'dream_reasoner', class: 'token_budget_exhausted' };
  expect(parsePrometheus(text).sum('vouch_model_calls_refused_total', labels)).toBe(2);
  expect(text).not.toContain(ACCOUNT);
});

test('refused calls of a role are logged once a minute', () => {
  const lines: unknown[] = [];
  const clock = { ms: 0 };
  const log = {
    info: () => {},
    error: () => {},
    warn: (...line: unknown[]) => void lines.push(line),
  };
  const refused = refusalLog(log, () => clock.ms);
  const fields = { account_id: ACCOUNT, role: 'dream_reasoner', class: 'token_budget_exhausted' };
  refused(REFUSED);
  clock.ms = 59_999;
  refused(REFUSED);
  expect(lines).toEqual([['service.model.call_refused', fields]]);
  refused({ ...REFUSED, role: 'dialectic_agent' });
  clock.ms = 60_000;
  refused(REFUSED);
  expect(lines).toHaveLength(3);
});
