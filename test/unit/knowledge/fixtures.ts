/** Proposals and statements of which a test names only what it is about. */
import type { Proposal, Statement, Wording } from '../../../domain/statements/statement.ts';
import type { Attestation } from '../../../domain/statements/attestation.ts';
import { compareWords, type Source } from '../../../domain/statements/source.ts';
import type { PlanContext } from '../../../domain/knowledge/plan.ts';
import { presetRules, type GatePreset } from '../../../domain/governance/presets.ts';

export function source(values: Partial<Source> = {}): Source {
  return {
    messageId: 'm1',
    sessionId: 's1',
    scopeId: 'team',
    speakerId: 'alice',
    relayId: 'agent',
    occurredAt: '2024-01-01T00:00:00.000Z',
    contentHash: 'aa',
    ...values,
  };
}

export function proposal(values: Partial<Proposal> = {}, from: Partial<Source> = {}): Proposal {
  const anchor = source(from);
  const wording: Wording = {
    text: 'Alice likes tea.',
    kind: 'fact',
    claim: null,
    relevantFrom: null,
    relevantUntil: null,
    occurredAt: anchor.occurredAt,
    sourceHash: anchor.contentHash,
    identity: {
      provider: 'deterministic',
      model: 'built-in',
      modelVersion: '1',
      promptVersion: 'none',
      pipelineVersion: 'f5-1',
    },
  };
  return {
    anchorId: anchor.messageId,
    scopeId: anchor.scopeId,
    audience: null,
    subject: { type: 'peer', id: 'alice' },
    statementHash: 'tea',
    wording,
    sources: [anchor],
    sensitivity: 'internal',
    targetLevel: 'peer',
    confidence: 1,
    evidenceLevel: 'direct',
    ...values,
  };
}

export function context(preset: GatePreset = 'strict'): PlanContext {
  let next = 0;
  return {
    rules: presetRules(preset).map((rule) => ({ ...rule, id: null, scopeId: null })),
    consent: { automatic: false },
    paraphrases: null,
    refusals: null,
    chains: new Map([
      ['root', ['root']],
      ['team', ['root', 'team']],
      ['other', ['root', 'other']],
    ]),
    rootScopeId: 'root',
    now: '2026-01-01T00:00:00.000Z',
    newId: () => {
      next += 1;
      return `k${next}`;
    },
  };
}

/** What must not depend on order: everything but ids and the order of recording. */
export function essence(statements: readonly Statement[]): string[] {
  return statements
    .map(({ id: _id, attestation, ...values }) =>
      JSON.stringify({ ...values, attestation: counted(attestation) }),
    )
    .toSorted();
}

/** An attestation in an order that depends on nothing but itself. */
export function counted({ added, first, lastSaid, ...rest }: Attestation): unknown {
  return {
    sources: added.map(({ messageId }) => messageId).toSorted(),
    first,
    lastSaid: [...lastSaid].toSorted(([a], [b]) => compareWords(a, b)),
    submitterCount: rest.submitterCount,
    submitters: [...rest.submitters].toSorted(),
    scopeIds: [...rest.scopeIds].toSorted(),
    identities: [...rest.identities].toSorted(),
  };
}
