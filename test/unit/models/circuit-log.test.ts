import { expect, test } from '@jest/globals';
import type { CircuitEvent } from '../../../engine/models/observer.ts';
import { modelLog } from '../../../runtime/container/models.ts';

test('circuits are logged by identity, transition and count, and an opening as a warning', () => {
  const lines: unknown[] = [];
  const line = (level: string) => (event: string, fields?: object) =>
    void lines.push([level, event, fields]);
  const observer = modelLog({ info: line('info'), warn: line('warn'), error: line('error') });
  const event: CircuitEvent = {
    accountId: '018f0000-0000-7000-8000-0000000000aa',
    role: 'ingest_extractor',
    provider: 'openai-compatible',
    model: 'tiny:1b',
    modelVersion: '7',
    event: 'opened',
    consecutiveFailures: 5,
  };
  observer.circuit(event);
  observer.circuit({ ...event, event: 'blocked' });
  const fields = {
    account_id: event.accountId,
    role: 'ingest_extractor',
    provider: 'openai-compatible',
    model: 'tiny:1b',
    model_version: '7',
    consecutive_failures: 5,
  };
  expect(lines).toEqual([
    ['warn', 'service.model.provider_circuit', { ...fields, transition: 'opened' }],
    ['info', 'service.model.provider_circuit', { ...fields, transition: 'blocked' }],
  ]);
});
