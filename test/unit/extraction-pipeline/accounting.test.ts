import { describe, expect, test } from '@jest/globals';
import { accountingOf, type EvidenceGaps } from '../../../domain/extraction/accounting.ts';
import { requeueStep } from '../../../domain/observations/requeue.ts';

const NONE: EvidenceGaps = {
  unsettledAnchors: 0,
  openAttempts: 0,
  unreconciledBatches: 0,
  unmeteredAttempts: 0,
  unpricedAttempts: 0,
  importedScopes: 0,
  prunedScopes: 0,
};

describe('accounting', () => {
  test('is complete when every part holds', () => {
    expect(accountingOf(NONE)).toEqual({
      complete: true,
      settled: true,
      requests_complete: true,
      tokens_complete: true,
      cost_complete: true,
      reasons: [],
    });
  });

  test.each([
    ['unsettledAnchors', ['settled'], 'anchors_unsettled'],
    [
      'openAttempts',
      ['settled', 'requests_complete', 'tokens_complete', 'cost_complete'],
      'attempts_open',
    ],
    ['unreconciledBatches', ['requests_complete'], 'batches_unreconciled'],
    ['unmeteredAttempts', ['tokens_complete', 'cost_complete'], 'attempts_unmetered'],
    ['unpricedAttempts', ['cost_complete'], 'attempts_unpriced'],
    [
      'importedScopes',
      ['requests_complete', 'tokens_complete', 'cost_complete'],
      'archive_imported',
    ],
    ['prunedScopes', ['requests_complete', 'tokens_complete', 'cost_complete'], 'retention_pruned'],
  ] as const)('with %s is not complete, and says where', (gap, spoilt, reason) => {
    const { complete, reasons, ...parts } = accountingOf({ ...NONE, [gap]: 1 });
    expect([complete, reasons]).toEqual([false, [reason]]);
    const untrue = Object.entries(parts).flatMap(([name, holds]) => (holds ? [] : [name]));
    expect(untrue).toEqual(spoilt);
  });
});

describe('a requeue', () => {
  test.each(['repairable', 'terminal'] as const)(
    'resets a %s anchor, whether or not an earlier reset is waiting for its ring',
    (status) => {
      expect([requeueStep(status, false), requeueStep(status, true)]).toEqual(['reset', 'reset']);
    },
  );

  test.each(['pending', 'failed', 'completed'] as const)(
    'of a %s anchor is refused, or rings again for an earlier reset without a ring',
    (status) => {
      expect([requeueStep(status, false), requeueStep(status, true)]).toEqual(['refuse', 'ring']);
    },
  );
});
