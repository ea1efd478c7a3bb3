import { describe, expect, test } from '@jest/globals';
import type { Caller } from '../../../domain/identity/caller.ts';
import { ERROR_CLASSES } from '../../../domain/error-class.ts';
import { attribute } from '../../../domain/observations/attribution.ts';
import { isEvidenceRole } from '../../../domain/observations/roles.ts';
import { settleFailure } from '../../../domain/observations/settlement.ts';

const machine: Caller = {
  accountId: 'account',
  credentialId: 'credential',
  kind: 'machine',
  peerId: 'p-agent',
  peerKey: 'agent',
  pinPath: null,
  secretPolicy: 'keep',
  grants: [],
};
const person: Caller = { ...machine, kind: 'human', peerId: 'p-ann', peerKey: 'ann' };
const peerless: Caller = { ...machine, peerId: null, peerKey: null };
const named = (peerKey: string | null, role = 'user') => ({ peerKey, peerName: null, role });

test.each(['assistant', 'Model', 'ai', 'FUNCTION', 'developer', 'bot', 'tool_result', 'tool'])(
  'a turn of the role %s is a machine and no evidence',
  (role) => {
    expect(isEvidenceRole(role)).toBe(false);
    expect(attribute(machine, named('somebody', role))?.as).toBe('named');
    expect(attribute(machine, named('somebody', role))).toMatchObject({ kind: 'agent' });
  },
);

describe('attribution', () => {
  test('by caller and named key', () => {
    const alice = { as: 'named', key: 'alice', name: 'alice', kind: 'human' };
    expect(attribute(machine, named('alice'))).toEqual(alice);
    expect(attribute(machine, named('agent'))).toEqual({ as: 'self' });
    expect(attribute(machine, named(null))).toEqual({ as: 'self' });
    expect(attribute(person, named('alice'))).toEqual({ as: 'self' });
    expect(attribute(peerless, named('alice'))).toEqual(alice);
    expect(attribute(peerless, named(null))).toBeNull();
  });

  test('a new speaker is named by name, and an agent in a role that is no evidence', () => {
    const named = { peerKey: 'bot', peerName: 'The Bot', role: 'Assistant' };
    expect(attribute(machine, named)).toEqual({
      as: 'named',
      key: 'bot',
      name: 'The Bot',
      kind: 'agent',
    });
  });
});

test('roles of the caller’s own naming are evidence', () => {
  for (const role of ['user', 'customer', 'assistants', '医師']) {
    expect(isEvidenceRole(role)).toBe(true);
  }
  for (const role of ['assistant', 'SYSTEM', 'Tool']) expect(isEvidenceRole(role)).toBe(false);
});

describe('a failure', () => {
  test('of a transient class waits 1 s, doubling to 60 s, without end', () => {
    const waits = [0, 1, 2, 5, 6, 50, 100_000].map(
      (attempts) => settleFailure('transport_error', attempts).delayMs / 1000,
    );
    expect(waits).toEqual([1, 2, 4, 32, 60, 60, 60]);
  });

  test('whose provider names a later time waits for it, up to 60 s, and never less than its turn', () => {
    const wait = (attempts: number, askedMs: number) =>
      settleFailure('provider_rate_limited', attempts, { retryAfterMs: askedMs }).delayMs / 1000;
    expect([wait(0, 7_000), wait(0, 200), wait(4, 7_000), wait(0, 3_600_000)]).toEqual([
      7, 1, 16, 60,
    ]);
    expect(settleFailure('model_not_found', 0, { retryAfterMs: 7_000 })).toMatchObject({
      delayMs: 0,
    });
  });

  test('by a defect of the service is given up the tenth time, whatever the number of other failures', () => {
    const after = (ownFailures: number) =>
      settleFailure('internal_error', 50, { isOurs: true, ownFailures }).status;
    expect([after(0), after(8), after(9), after(10)]).toEqual([
      'failed',
      'failed',
      'terminal',
      'terminal',
    ]);
    expect(settleFailure('transport_error', 50, { ownFailures: 9 }).status).toBe('failed');
  });

  test('of a text that was late is tried again, and the tenth time it is too large', () => {
    const after = (ownFailures: number) => {
      const facts = { isOurs: true, ownFailures };
      const { errorClass, status } = settleFailure('request_timeout', 50, facts);
      return [errorClass, status];
    };
    expect(after(0)).toEqual(['request_timeout', 'failed']);
    expect(after(8)).toEqual(['request_timeout', 'failed']);
    expect(after(9)).toEqual(['source_too_large', 'repairable']);
    // A provider that is slow is none of our failures, and is waited for without end.
    expect(settleFailure('request_timeout', 50, { ownFailures: 9 }).status).toBe('failed');
  });

  test('by an open circuit waits until calls are let through, however many attempts there were', () => {
    expect(settleFailure('circuit_open', 9, { retryAfterMs: 12_345 })).toEqual({
      status: 'failed',
      errorClass: 'circuit_open',
      delayMs: 12_345,
      countsAttempt: false,
    });
  });

  test('counts as an attempt in every class but those of calls that are kept back', () => {
    for (const errorClass of ERROR_CLASSES) {
      const { countsAttempt, delayMs, status } = settleFailure(errorClass, 0);
      const isKept = errorClass === 'circuit_open' || errorClass === 'token_budget_exhausted';
      expect(countsAttempt).toBe(!isKept);
      expect(delayMs > 0).toBe(status === 'failed');
    }
  });
});
