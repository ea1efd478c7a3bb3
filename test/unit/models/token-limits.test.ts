/** Which roles a daily limit closes for good. */
import { describe, expect, test } from '@jest/globals';
import type { ModelRoles } from '../../../domain/models/role-config.ts';
import { closedRoles, type TokenLimits } from '../../../domain/models/token-limits.ts';
import { remoteRole } from './fixtures.ts';

const NONE = { provider: 'none' } as const;
const remote = remoteRole('http://127.0.0.1:9/v1', { maxOutputTokens: 1_000 });
const ROLES: ModelRoles = {
  embedder: remote,
  reranker: remote,
  ingest_extractor: remote,
  dream_reasoner: remote,
  dialectic_agent: NONE,
};

const closed = (limits: TokenLimits): readonly string[] =>
  closedRoles(limits, ROLES).map(({ limitOf, role }) => `${role} by ${limitOf}`);

describe('a limit lets through no call of a role', () => {
  test('whose one call may write more than a day allows', () => {
    expect(closed({ ingest_extractor: { output_tokens: 999 } })).toEqual([
      'ingest_extractor by ingest_extractor',
    ]);
    expect(closed({ ingest_extractor: { output_tokens: 1_000 } })).toEqual([]);
    expect(closed({ ingest_extractor: { input_tokens: 1 } })).toEqual([]);
  });

  test('by the limit of all roles, of which the dream gets four fifths', () => {
    expect(closed({ '*': { output_tokens: 1_249 } })).toEqual(['dream_reasoner by *']);
    expect(closed({ '*': { output_tokens: 1_250 } })).toEqual([]);
    expect(closed({ '*': { output_tokens: 1 } })).toEqual([
      'ingest_extractor by *',
      'dream_reasoner by *',
    ]);
  });

  test('is nothing to warn of where it is 0, where nothing is called, and where nothing is ever refused', () => {
    expect(closed({ ingest_extractor: { output_tokens: 0 } })).toEqual([]);
    expect(closed({ dialectic_agent: { output_tokens: 1 } })).toEqual([]);
    expect(closed({ embedder: { output_tokens: 1 }, reranker: { output_tokens: 1 } })).toEqual([]);
  });
});
