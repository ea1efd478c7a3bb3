/** Edits and merges by a curator: what becomes of both statements, of the item and of what is recorded. */
import { describe, expect, test } from '@jest/globals';
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../../domain/statements/states.ts';
import { NO_ATTESTATION } from '../../../domain/statements/attestation.ts';
import type { Plan } from '../../../domain/knowledge/plan.ts';
import {
  planEdit,
  planMerge,
  planProposals,
  planRuling,
} from '../../../domain/knowledge/planning.ts';
import { MOST_INHERITED_SOURCES, type Edit } from '../../../domain/knowledge/replacement.ts';
import type { OpenItem } from '../../../domain/knowledge/ruling.ts';
import type { Statement } from '../../../domain/statements/statement.ts';
import { context, proposal } from './fixtures.ts';

const NOW = context().now;
const CURATOR = { peerId: 'cura', channel: 'api' } as const;
const ITEM: OpenItem = {
  id: 'i1',
  kind: 'gate_a_b',
  conflictId: null,
  targetScopeId: null,
  targetLevel: 'peer',
  proposedSensitivity: null,
};
const EDIT: Edit = {
  newId: 'new',
  text: 'Alice likes green tea.',
  statementHash: 'green tea',
  claim: null,
  sensitivity: null,
};

function statement(values: Partial<Statement> = {}): Statement {
  const [change] = planProposals([proposal()], [], context()).changes;
  if (change === undefined) throw new Error('a proposal makes a statement');
  const before = values.state === 'contested' ? ({ stateBeforeContest: 'active' } as const) : {};
  const attestation = { ...change.after.attestation, added: [] };
  return { ...change.after, attestation, ...before, ...values };
}

interface Asked {
  readonly item?: OpenItem;
  readonly edit?: Partial<Edit>;
  readonly others?: readonly Statement[];
  readonly approve?: boolean;
  readonly preset?: Parameters<typeof context>[0];
}

function edit(
  about: Statement,
  { approve = false, edit: values, item = ITEM, others = [], preset }: Asked = {},
) {
  return planEdit(
    { id: about.id, item, actor: CURATOR },
    { ...EDIT, ...values },
    [about, ...others],
    { ...context(preset), consents: approve ? new Map() : null },
  );
}

function merge(about: Statement, into: Statement, corroboration = 2) {
  const replacing = { id: about.id, item: ITEM, actor: CURATOR };
  return planMerge(replacing, { intoId: into.id, corroboration }, [about, into], context());
}

const after = (plan: Plan | null, id: string): Statement | undefined =>
  plan?.changes.find((change) => change.after.id === id)?.after;

/** What becomes of the statement itself; every state must have its cell. */
const EDITED: Readonly<Record<KnowledgeState, KnowledgeState | 'refused' | 'stays'>> = {
  proposed: 'refused',
  provisional: 'superseded',
  held: 'superseded',
  active: 'stays',
  needs_revalidation: 'stays',
  stale: 'stays',
  contested: 'rejected',
  superseded: 'refused',
  expired: 'refused',
  rejected: 'refused',
  redacted: 'refused',
  retracted: 'refused',
};

describe('an edit', () => {
  test.each(KNOWLEDGE_STATES)('of a statement that is %s follows the table', (state) => {
    const about = statement({ state });
    const plan = edit(about);
    const found = plan === null ? 'refused' : (after(plan, about.id)?.state ?? 'stays');
    expect(found).toBe(EDITED[state]);
  });

  test('makes a proposal that keeps window, sources, evidence and confidence of the statement', () => {
    const window = { relevantFrom: { at: '2020-01-01T00:00:00.000Z', precision: 'year' } } as const;
    const about = statement({
      confidence: 0.4,
      evidenceLevel: 'indirect',
      corroboration: 3,
      wording: { ...statement().wording, ...window },
    });
    const plan = edit(about);
    expect(after(plan, 'new')).toMatchObject({
      state: 'provisional',
      scopeId: about.scopeId,
      subject: about.subject,
      confidence: 0.4,
      evidenceLevel: 'indirect',
      corroboration: 3,
      replacesId: about.id,
      supersedesId: about.id,
      wording: {
        ...window,
        text: EDIT.text,
        identity: { provider: 'human', model: 'curator_edit' },
      },
    });
    expect(plan?.inherited).toEqual([{ fromId: about.id, toId: 'new', keepsWordings: false }]);
  });

  test('is recorded as a decision about the item, which it ends', () => {
    const plan = edit(statement());
    expect(plan?.decisions[0]).toMatchObject({
      decision: 'edit',
      itemId: 'i1',
      from: 'provisional',
      to: 'superseded',
      actor: CURATOR,
    });
    expect(plan?.closings).toContainEqual(
      expect.objectContaining({
        statementId: 'k1',
        kind: 'gate_a_b',
        state: 'closed',
        reason: 'edited',
      }),
    );
    expect(plan?.openings).toMatchObject([{ statementId: 'new', kind: 'gate_a_b' }]);
  });

  test.each([
    ['active', 'gate_b', null, true],
    ['active', 'conflict', 'personal', false],
    ['needs_revalidation', 'revalidation', null, false],
    ['stale', 'revalidation', null, false],
  ] as const)(
    'of a statement that is %s, about %s, ends the item only where the question no longer arises',
    (state, kind, proposedSensitivity, ends) => {
      const plan = edit(statement({ state }), { item: { ...ITEM, kind, proposedSensitivity } });
      expect([plan?.closings.length, plan?.revised]).toEqual(ends ? [1, []] : [0, ['k1']]);
    },
  );

  test('that is approved places the new text at once, and asks nobody again', () => {
    const plan = edit(statement(), { approve: true });
    expect(after(plan, 'new')).toMatchObject({ state: 'active', verification: 'curator_approved' });
    expect(plan?.openings).toEqual([]);
  });

  test('lets a placed statement stand until the new text is placed, and ends it then', () => {
    const about = statement({ state: 'active' });
    const plan = edit(about);
    const waiting = after(plan, 'new');
    expect([after(plan, about.id), waiting?.state]).toEqual([undefined, 'provisional']);
    if (waiting === undefined) throw new Error('no proposal');
    const approved = planRuling(
      'new',
      { action: 'approve', item: ITEM, expiresAt: null },
      [about, waiting],
      { ...context(), consents: new Map() },
      CURATOR,
    ).plan;
    expect(after(approved, 'new')).toMatchObject({ state: 'active', supersedesId: about.id });
    expect(after(approved, about.id)?.state).toBe('superseded');
    expect(approved.transitions).toContainEqual(
      expect.objectContaining({ statementId: about.id, from: 'active', reason: 'edited' }),
    );
  });

  test('of the same attribute never contradicts the statement that it replaces', () => {
    const claims = (value: string) => ({ about: 'residence', value, mode: 'holds' }) as const;
    const { wording } = statement();
    const about = statement({ state: 'active', wording: { ...wording, claim: claims('oslo') } });
    const plan = edit(about, { edit: { claim: claims('bergen') } });
    expect(plan?.openings.map(({ kind }) => kind)).toEqual(['gate_a_b']);
    expect(after(plan, about.id)).toBeUndefined();
  });

  test('that the gates place ends the statement without anybody else', () => {
    const about = statement({ state: 'active' });
    const plan = edit(about, { preset: 'unattended' });
    expect([after(plan, about.id)?.state, after(plan, 'new')?.state]).toEqual([
      'superseded',
      'active',
    ]);
  });

  test('into words that were refused is held for a person under every preset', () => {
    const refused = statement({ id: 'k9', state: 'redacted', statementHash: EDIT.statementHash });
    const plan = edit(statement(), { others: [refused], preset: 'unattended' });
    expect(after(plan, 'new')).toMatchObject({ state: 'held', previouslyRefused: true });
  });

  test('into words that another open statement has is refused: those are merged', () => {
    const twin = statement({ id: 'k9', state: 'active', statementHash: EDIT.statementHash });
    expect(edit(statement(), { others: [twin] })).toBeNull();
  });

  test('lowers the sensitivity of a restricted statement in its own words, if it is approved', () => {
    const about = statement({ state: 'active', sensitivity: 'restricted' });
    const lower = { statementHash: about.statementHash, sensitivity: 'internal' } as const;
    expect(edit(about, { edit: lower })).toBeNull();
    const plan = edit(about, { edit: lower, approve: true });
    expect([after(plan, about.id)?.state, after(plan, 'new')?.sensitivity]).toEqual([
      'superseded',
      'internal',
    ]);
  });

  test('never widens a restricted statement', () => {
    const about = statement({ targetLevel: 'scope', state: 'held' });
    const plan = edit(about, { edit: { sensitivity: 'restricted' } });
    expect(after(plan, 'new')).toMatchObject({ targetLevel: 'peer', sensitivity: 'restricted' });
  });

  test('of a personal statement for a wider place waits for its subject, though it is approved', () => {
    const about = statement({ sensitivity: 'personal', targetLevel: 'scope', state: 'held' });
    const plan = edit(about, { approve: true });
    expect(after(plan, 'new')?.state).toBe('held');
    expect(plan?.consents).toMatchObject([{ statementId: 'new', status: 'pending' }]);
  });

  test('is over with what it edits when the subject redacts that', () => {
    const about = statement({ state: 'active' });
    const waiting = after(edit(about), 'new');
    if (waiting === undefined) throw new Error('no proposal');
    const redacted = planRuling(
      about.id,
      { action: 'redact' },
      [about, waiting],
      { ...context(), consents: new Map() },
      CURATOR,
    ).plan;
    expect(after(redacted, 'new')?.state).toBe('redacted');
  });

  test('of a statement with too many sources is refused', () => {
    const attestation = { ...NO_ATTESTATION, sourceCount: MOST_INHERITED_SOURCES + 1 };
    expect(edit(statement({ attestation }))).toBeNull();
  });
});

const other = (values: Partial<Statement> = {}): Statement =>
  statement({ id: 'into', statementHash: 'likes teas', state: 'active', ...values });

describe('a merge', () => {
  test.each(KNOWLEDGE_STATES)('of a statement that is %s follows the table of edits', (state) => {
    const about = statement({ state });
    const plan = merge(about, other());
    const expected = EDITED[state] === 'stays' ? 'superseded' : EDITED[state];
    expect(after(plan, about.id)?.state ?? 'refused').toBe(expected);
  });

  test('gives the other statement the sources, the higher confidence and the counted corroboration', () => {
    const about = statement({ confidence: 0.9, derivationLevel: 2 });
    const plan = merge(about, other({ confidence: 0.5, evidenceLevel: 'indirect' }), 5);
    expect(after(plan, 'into')).toMatchObject({
      wording: other().wording,
      confidence: 0.9,
      evidenceLevel: 'direct',
      corroboration: 5,
      derivationLevel: 2,
    });
    expect(after(plan, about.id)).toMatchObject({ mergedIntoId: 'into' });
    expect(plan?.inherited).toEqual([{ fromId: about.id, toId: 'into', keepsWordings: true }]);
    expect(plan?.closings).toContainEqual(
      expect.objectContaining({ statementId: about.id, state: 'merged', by: 'cura' }),
    );
  });

  test('lets the words of the merged statement attest the other one from then on', () => {
    const about = statement();
    const plan = merge(about, other());
    const known = plan?.changes.map((change) => change.after) ?? [];
    const later = { messageId: 'm7', contentHash: 'cc', occurredAt: '2025-01-01T00:00:00.000Z' };
    const said = planProposals([proposal({ anchorId: 'm7' }, later)], known, context());
    expect(said.outputs).toEqual([{ anchorId: 'm7', statementId: 'into', effect: 'merged' }]);
  });

  test('places a waiting statement that it gives enough corroboration', () => {
    const wide = { targetLevel: 'scope', state: 'held', sensitivity: 'internal' } as const;
    const replacing = { id: 'k1', item: ITEM, actor: CURATOR };
    const into = other({ ...wide, corroboration: 1 });
    const plan = planMerge(
      replacing,
      { intoId: 'into', corroboration: 2 },
      [statement(wide), into],
      context('unattended'),
    );
    expect(after(plan, 'into')?.state).toBe('active');
  });

  test.each<[string, Partial<Statement>]>([
    ['about another subject', { subject: { type: 'peer', id: 'bob' } }],
    ['less sensitive', { sensitivity: 'public' }],
    ['contested', { state: 'contested', stateBeforeContest: 'active' }],
    ['over', { state: 'superseded' }],
    ['rejected', { state: 'rejected' }],
    ['past its time', { expiresAt: NOW }],
  ])('into a statement that is %s is refused', (_name, values) => {
    expect(merge(statement(), other(values))).toBeNull();
  });

  test('into itself is refused', () => {
    const about = statement({ state: 'active' });
    expect(merge(about, about)).toBeNull();
  });
});
