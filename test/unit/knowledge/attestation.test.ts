import { expect, test } from '@jest/globals';
import {
  includesSource,
  NO_ATTESTATION,
  withSources,
} from '../../../domain/statements/attestation.ts';
import { source } from './fixtures.ts';

test('a source from a clock that runs ahead counts as said at its receipt, and sent again it is the same source', () => {
  const occurredAt = '2099-01-01T00:00:00.000Z';
  const early = source({ messageId: 'm1', occurredAt, saidAt: '2026-01-01T00:00:00.000Z' });
  const again = { ...early, messageId: 'm2', saidAt: '2026-01-02T00:00:00.000Z' };
  const attestation = withSources(NO_ATTESTATION, [early]);
  expect(attestation.first?.at).toBe(early.saidAt);
  expect(includesSource(attestation, again)).toBe(true);
});

test('a source that only explains is counted and places the statement, and attests nothing', () => {
  const said = source({
    messageId: 'm2',
    speakerId: 'ada',
    occurredAt: '2026-01-02T00:00:00.000Z',
  });
  const asked = source({
    messageId: 'm1',
    speakerId: 'bo',
    occurredAt: '2026-01-01T00:00:00.000Z',
    isContext: true,
  });
  const { added, first, lastSaid, scopeIds, submitters } = withSources(NO_ATTESTATION, [
    said,
    asked,
  ]);
  expect(added).toEqual([said, asked]);
  expect([...lastSaid.keys()]).toEqual(['ada']);
  expect(first?.by).toBe('ada');
  expect(submitters.has('bo')).toBe(false);
  expect(scopeIds.has(asked.scopeId)).toBe(true);
});
