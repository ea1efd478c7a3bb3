import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import type { KnowledgeState } from '../../../domain/statements/states.ts';
import { NO_ATTESTATION } from '../../../domain/statements/attestation.ts';
import type { Plan, PlanContext } from '../../../domain/knowledge/plan.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import type { Proposal, Statement } from '../../../domain/statements/statement.ts';
import { context, essence, proposal } from './fixtures.ts';
import { sized } from '../../support/run.ts';

function only(plan: Plan): Statement {
  const [change, ...more] = plan.changes;
  if (change === undefined || more.length > 0) throw new Error('not exactly one statement');
  return change.after;
}

const created = (values: Partial<Statement> = {}, from = proposal()): Statement => ({
  ...only(planProposals([from], [], context())),
  ...values,
});

/** One proposal after the other, each against what the ones before it left: as many commits as proposals. */
function sequentially(proposals: readonly Proposal[], shared: PlanContext): Statement[] {
  const held = new Map<string, Statement>();
  for (const next of proposals) {
    const plan = planProposals([next], [...held.values()], shared);
    for (const { after } of plan.changes) held.set(after.id, after);
  }
  return [...held.values()];
}

const windowEnd = fc.constantFrom(
  null,
  { at: '2023-01-01T00:00:00.000Z', precision: 'year' as const },
  { at: '2023-01-01T00:00:00.000Z', precision: 'day' as const },
);

const proposals = fc.array(
  fc
    .record({
      n: fc.integer({ min: 0, max: 40 }),
      text: fc.constantFrom('Alice likes tea.', 'alice likes TEA', 'Alice likes tea'),
      hash: fc.constantFrom('tea', 'coffee'),
      subject: fc.constantFrom('alice', 'bob'),
      speaker: fc.constantFrom('alice', 'bob', 'carol'),
      relay: fc.constantFrom(null, 'agent', 'other'),
      occurred: fc.integer({ min: 0, max: 3 }),
      sensitivity: fc.constantFrom(...SENSITIVITIES),
      targetLevel: fc.constantFrom(...TARGET_LEVELS),
      confidence: fc.constantFrom(0.45, 0.75, 1),
      evidenceLevel: fc.constantFrom('direct' as const, 'indirect' as const),
      relevantFrom: windowEnd,
    })
    .map((drawn) => {
      const occurredAt = `2024-01-0${drawn.occurred + 1}T00:00:00.000Z`;
      const from = {
        messageId: `m${drawn.n}`,
        speakerId: drawn.speaker,
        relayId: drawn.relay,
        occurredAt,
        contentHash: `h${drawn.n}`,
      };
      const base = proposal({}, from);
      return {
        ...base,
        statementHash: drawn.hash,
        subject: { type: 'peer' as const, id: drawn.subject },
        wording: { ...base.wording, text: drawn.text, relevantFrom: drawn.relevantFrom },
        sensitivity: drawn.sensitivity,
        targetLevel: drawn.sensitivity === 'restricted' ? ('peer' as const) : drawn.targetLevel,
        confidence: drawn.confidence,
        evidenceLevel: drawn.evidenceLevel,
      };
    }),
  { maxLength: 12 },
);

/** A message has one speaker, time and relay, whatever it is cited for. */
function consistent(drawn: readonly Proposal[]): Proposal[] {
  const seen = new Map(drawn.map((each) => [each.anchorId, each.sources[0]]));
  return drawn.map((each) => {
    const first = seen.get(each.anchorId) ?? each.sources[0];
    const wording = {
      ...each.wording,
      occurredAt: first.occurredAt,
      sourceHash: first.contentHash,
    };
    return { ...each, sources: [first] as const, wording };
  });
}

describe('under strict governance', () => {
  test('any order of the same sources, in any batches, gives the same statements', () => {
    fc.assert(
      fc.property(
        proposals
          .map(consistent)
          .chain((drawn) =>
            fc.tuple(fc.constant(drawn), fc.shuffledSubarray(drawn, { minLength: drawn.length })),
          ),
        ([drawn, shuffled]) => {
          const together = planProposals(drawn, [], context()).changes.map(({ after }) => after);
          expect(essence(sequentially(shuffled, context()))).toEqual(essence(together));
        },
      ),
      { numRuns: sized({ short: 60, long: 300 }) },
    );
  });

  test('a re-send of everything changes no value and no corroboration', () => {
    fc.assert(
      fc.property(proposals.map(consistent), (drawn) => {
        const shared = context();
        const once = planProposals(drawn, [], shared).changes.map(({ after }) => after);
        const resent = drawn.map((each) => {
          const messageId = `again-${each.anchorId}`;
          const source = { ...each.sources[0], messageId };
          return { ...each, anchorId: messageId, sources: [source] as const };
        });
        const twice = planProposals(resent, once, shared);
        const withoutSources = (statement: Statement | null) => ({
          ...statement,
          attestation: { ...statement?.attestation, added: [] },
        });
        for (const { before, after } of twice.changes) {
          expect(withoutSources(after)).toEqual(withoutSources(before));
        }
        expect(twice.transitions).toEqual([]);
        expect(twice.decisions).toEqual([]);
        expect(twice.openings).toEqual([]);
        expect(twice.closings).toEqual([]);
      }),
    );
  });
});

describe('a proposal', () => {
  test('of a new statement becomes provisional, with both decisions and a review', () => {
    const plan = planProposals([proposal()], [], context());
    expect(only(plan)).toMatchObject({ state: 'provisional', corroboration: 1 });
    expect(plan.outputs).toEqual([{ anchorId: 'm1', statementId: 'k1', effect: 'created' }]);
    expect(plan.transitions).toMatchObject([
      { from: null, to: 'provisional', reason: 'extracted' },
    ]);
    expect(plan.decisions.map(({ gate, decision }) => [gate, decision])).toEqual([
      ['gate_a', 'defer'],
      ['gate_b', 'provisional'],
    ]);
    expect(plan.openings).toMatchObject([
      { kind: 'gate_a_b', reason: 'person_decides', dueHours: 168 },
    ]);
  });

  test('with another window, scope or subject is another statement', () => {
    const known = created();
    const from = { messageId: 'm2', contentHash: 'bb' };
    const dated = proposal({}, from);
    const others = [
      {
        ...dated,
        wording: {
          ...dated.wording,
          relevantFrom: { at: '2020-01-01T00:00:00.000Z', precision: 'year' as const },
        },
      },
      proposal({ subject: { type: 'peer', id: 'bob' } }, from),
      proposal({}, { ...from, scopeId: 'other' }),
    ];
    for (const other of others) {
      const plan = planProposals([other], [known], context());
      expect(plan.outputs[0]?.effect).toBe('created');
    }
  });

  test('narrower than a held one makes it provisional', () => {
    const held = created({}, proposal({ targetLevel: 'scope' }));
    expect(held).toMatchObject({ state: 'held', heldScopeId: 'team' });
    const plan = planProposals([proposal({}, { messageId: 'm2' })], [held], context());
    expect(only(plan)).toMatchObject({ state: 'provisional', heldScopeId: null });
    expect(plan.transitions).toMatchObject([{ from: 'held', to: 'provisional' }]);
  });
});

describe('a placed statement', () => {
  const placed = created({ state: 'active' });
  const later = {
    messageId: 'm2',
    speakerId: 'bob',
    contentHash: 'bb',
    occurredAt: '2020-01-01T00:00:00.000Z',
  };

  test('takes sources, submitters and corroboration from a merge, and no other value', () => {
    const merged = only(
      planProposals(
        [proposal({ targetLevel: 'scope', confidence: 0.6 }, later)],
        [placed],
        context(),
      ),
    );
    expect(merged).toEqual({ ...placed, corroboration: 2, attestation: merged.attestation });
  });

  test('opens a conflict review for a stricter saying, unless it is a re-send', () => {
    const stricter = proposal({ sensitivity: 'personal' }, later);
    const plan = planProposals([stricter], [placed], context());
    expect(plan.openings).toMatchObject([
      { kind: 'conflict', conflictId: null, proposedSensitivity: 'personal' },
    ]);
    const again = planProposals([stricter], [only(plan)], context());
    expect(again.openings).toEqual([]);
    expect(again.changes).toEqual([]);
  });
});

describe('a refusal', () => {
  const from = { messageId: 'm2', contentHash: 'bb', occurredAt: '2024-02-01T00:00:00.000Z' };

  test.each<KnowledgeState>(['redacted', 'rejected', 'contested'])(
    '(%s) lets the used source add nothing and a new one only a held proposal',
    (state) => {
      const refused = created({ state });
      for (const preset of ['strict', 'assisted', 'unattended'] as const) {
        const resent = planProposals(
          [proposal({}, { messageId: 'm9' })],
          [refused],
          context(preset),
        );
        expect(resent.changes).toEqual([]);
        expect(resent.outputs).toMatchObject([{ effect: 'refused', statementId: refused.id }]);
        const plan = planProposals([proposal({}, from)], [refused], {
          ...context(preset),
          newId: () => 'new',
        });
        expect(only(plan)).toMatchObject({ state: 'held', previouslyRefused: true });
        const third = planProposals(
          [proposal({}, { ...from, messageId: 'm3', speakerId: 'bob' })],
          [refused, only(plan)],
          context(preset),
        );
        expect(only(third)).toMatchObject({ id: 'new', state: 'held', corroboration: 2 });
      }
    },
  );

  test('about another subject or in another scope does not bind', () => {
    const refused = created({ state: 'redacted' });
    const bob = proposal({ subject: { type: 'peer', id: 'bob' } }, from);
    const elsewhere = proposal({}, { ...from, scopeId: 'other' });
    for (const free of [bob, elsewhere]) {
      const after = planProposals([free], [refused], { ...context(), newId: () => 'new' });
      expect(only(after).previouslyRefused).toBe(false);
    }
  });
});

describe('an ended statement', () => {
  test('is not revived by a source that it had; a new source makes a new statement', () => {
    const ended = created({ state: 'superseded' });
    expect(planProposals([proposal()], [ended], context()).changes).toEqual([]);
    const again = proposal({}, { messageId: 'm2', contentHash: 'bb' });
    const plan = planProposals([again], [ended], { ...context(), newId: () => 'new' });
    expect(only(plan)).toMatchObject({ id: 'new', state: 'provisional', previouslyRefused: false });
  });
});

describe('placement for the account', () => {
  const wide = (from = {}) => proposal({ targetLevel: 'account', sensitivity: 'public' }, from);
  const second = { messageId: 'm2', speakerId: 'bob', contentHash: 'bb' };

  test('moves the statement to the root once the threshold is reached', () => {
    const plan = planProposals([wide(), wide(second)], [], context('unattended'));
    expect(only(plan)).toMatchObject({ state: 'active', scopeId: 'root', corroboration: 2 });
  });

  test('leaves the statement to a person when the root already has the same statement', () => {
    const atRoot = created({
      id: 'root-row',
      scopeId: 'root',
      state: 'held',
      attestation: NO_ATTESTATION,
    });
    const plan = planProposals([wide(), wide(second)], [atRoot], context('unattended'));
    expect(only(plan)).toMatchObject({ state: 'held', scopeId: 'team', heldScopeId: 'root' });
  });
});
