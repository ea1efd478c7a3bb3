/** What nothing attests any more ends, and what it had updated comes back; what else it says stays. */
import { describe, expect, test } from '@jest/globals';
import type { AttributeClaim } from '../../../domain/statements/attributes.ts';
import type { Plan } from '../../../domain/knowledge/plan.ts';
import { planProposals, planRevision } from '../../../domain/knowledge/planning.ts';
import type { Statement } from '../../../domain/statements/statement.ts';
import { context, proposal } from './fixtures.ts';

interface Written {
  readonly value: string;
  readonly day: number;
  readonly document?: string;
  readonly mode?: AttributeClaim['mode'];
}

/** What a passage says of where Alice lives; the same peer uploads every document. */
function written({ value, day, document, mode = 'holds' }: Written) {
  const occurredAt = new Date(Date.UTC(2024, 0, day)).toISOString();
  const from = {
    messageId: `m-${value}-${day}`,
    speakerId: 'uploader',
    relayId: null,
    occurredAt,
    contentHash: `h-${value}-${day}`,
    documentId: document ?? null,
  };
  const base = proposal({ statementHash: value, evidenceLevel: 'indirect' }, from);
  const claim: AttributeClaim = { about: 'residence', value, mode };
  return { ...base, wording: { ...base.wording, text: value, claim } };
}

/** The statements after these, each in a commit of its own, under gates that place them. */
function held(...passages: readonly Written[]): Statement[] {
  const shared = context('unattended');
  const rows = new Map<string, Statement>();
  for (const passage of passages) {
    const { changes } = planProposals([written(passage)], [...rows.values()], shared);
    for (const { after } of changes) rows.set(after.id, after);
  }
  return [...rows.values()];
}

const idOf = (rows: readonly Statement[], text: string): string => {
  const row = rows.find(({ wording }) => wording.text === text);
  if (row === undefined) throw new Error('no such statement');
  return row.id;
};

const withdraw = (rows: readonly Statement[], ...texts: readonly string[]): Plan =>
  planRevision(
    { withdrawn: texts.map((text) => idOf(rows, text)), restored: [] },
    rows,
    context('unattended'),
  );

function after(rows: readonly Statement[], plan: Plan) {
  const changed = new Map(plan.changes.map((change) => [change.after.id, change.after]));
  return Object.fromEntries(
    rows.map((row) => {
      const now = changed.get(row.id) ?? row;
      return [now.wording.text, [now.state, now.update !== null]];
    }),
  );
}

const steps = (plan: Plan) => plan.transitions.map(({ from, to, reason }) => [from, to, reason]);

describe('a withdrawal', () => {
  test('supersedes an open statement, once', () => {
    const rows = held({ value: 'bergen', day: 1, document: 'd1' });
    const plan = withdraw(rows, 'bergen');
    expect(steps(plan)).toEqual([['active', 'superseded', 'document_revised']]);
    const ended = plan.changes.map((change) => change.after);
    expect(steps(withdraw(ended, 'bergen'))).toEqual([]);
  });

  test('of a statement that had updated another reinstates the other', () => {
    const rows = held(
      { value: 'bergen', day: 1, document: 'd1' },
      { value: 'oslo', day: 2, document: 'd2' },
    );
    expect(after(rows, withdraw(rows))).toEqual({
      bergen: ['superseded', true],
      oslo: ['active', false],
    });
    const plan = withdraw(rows, 'oslo');
    expect(after(rows, plan)).toEqual({ bergen: ['active', false], oslo: ['superseded', false] });
    expect(steps(plan)).toEqual([
      ['superseded', 'active', 'reinstated'],
      ['active', 'superseded', 'document_revised'],
    ]);
  });

  test('of a superseded statement keeps it from being reinstated later', () => {
    const rows = held(
      { value: 'bergen', day: 1, document: 'd1' },
      { value: 'oslo', day: 2, document: 'd2' },
    );
    const first = withdraw(rows, 'bergen');
    const changed = new Map(first.changes.map((change) => [change.after.id, change.after]));
    const now = rows.map((row) => changed.get(row.id) ?? row);
    // The newer one still names the statement that it superseded.
    expect(now.map(({ supersedesId }) => supersedesId)).toEqual([null, idOf(rows, 'bergen')]);
    const second = withdraw(now, 'oslo');
    expect(after(now, second)).toEqual({
      bergen: ['superseded', false],
      oslo: ['superseded', false],
    });
  });

  test('closes the pending review of a statement', () => {
    const shared = context('strict');
    const { changes } = planProposals([written({ value: 'bergen', day: 1 })], [], shared);
    const rows = changes.map((change) => change.after);
    const plan = planRevision({ withdrawn: [idOf(rows, 'bergen')], restored: [] }, rows, shared);
    expect(plan.closings).toMatchObject([
      { kind: null, except: [], state: 'closed', reason: 'document_revised' },
    ]);
    expect(plan.changes[0]?.after).toMatchObject({ state: 'superseded', heldScopeId: null });
  });

  test('leaves a statement that a person contests', () => {
    const rows = held({ value: 'bergen', day: 1, document: 'd1' }).map((row): Statement => ({
      ...row,
      state: 'contested',
    }));
    const plan = withdraw(rows, 'bergen');
    expect(plan.changes.map((change) => change.after)).toMatchObject([
      { state: 'contested', corroboration: 0 },
    ]);
    expect(plan.transitions).toEqual([]);
  });

  describe('of one of two who say a statement', () => {
    const placed = (values: Partial<Statement> = {}): Statement[] =>
      held({ value: 'bergen', day: 1, document: 'd1' }).map((row): Statement => ({
        ...row,
        corroboration: 2,
        verification: 'auto_verified',
        ...values,
      }));
    const needing = (minimumCorroboration: number) => {
      const shared = context('unattended');
      return { ...shared, rules: shared.rules.map((rule) => ({ ...rule, minimumCorroboration })) };
    };

    test('leaves it while its rule asks for no more', () => {
      const [row] = placed();
      const plan = planRevision({ withdrawn: ['k1'], restored: [] }, placed(), needing(1));
      expect(plan.changes[0]?.after).toEqual({ ...row, corroboration: 1 });
      expect(plan.transitions).toEqual([]);
    });

    test('asks a person about it where its rule asks for two', () => {
      const plan = planRevision({ withdrawn: ['k1'], restored: [] }, placed(), needing(2));
      expect(plan.changes[0]?.after).toMatchObject({
        state: 'needs_revalidation',
        verification: 'stale',
        corroboration: 1,
      });
      expect(plan.decisions).toMatchObject([
        { gate: 'gate_b', decision: 'defer', reason: 'corroboration_too_low', from: 'active' },
      ]);
      expect(plan.openings).toMatchObject([{ kind: 'revalidation' }]);
    });

    test('leaves what a person placed', () => {
      const plan = planRevision(
        { withdrawn: ['k1'], restored: [] },
        placed({ verification: 'curator_approved' }),
        needing(2),
      );
      expect(plan.transitions).toEqual([]);
    });
  });
});

test('a provisional statement of a document is updated by the same document, not by others of its uploader', () => {
  const waiting = (...passages: readonly Written[]) => {
    const shared = context('strict');
    const rows = new Map<string, Statement>();
    for (const passage of passages) {
      const { changes } = planProposals([written(passage)], [...rows.values()], shared);
      for (const change of changes) rows.set(change.after.id, change.after);
    }
    return [...rows.values()].map(({ wording, update }) => [wording.text, update !== null]);
  };
  const older = { value: 'bergen', day: 1, document: 'd1' };
  expect(waiting(older, { value: 'oslo', day: 2, document: 'd1' })).toEqual([
    ['bergen', true],
    ['oslo', false],
  ]);
  expect(waiting(older, { value: 'oslo', day: 2, document: 'd2' })).toEqual([
    ['bergen', false],
    ['oslo', false],
  ]);
});

describe('a statement that a document says again', () => {
  const restore = (rows: readonly Statement[], wasRevised: boolean) =>
    planRevision(
      { withdrawn: [], restored: [{ id: idOf(rows, 'bergen'), wasRevised }] },
      rows,
      context('unattended'),
    );
  const revised = (): Statement[] => {
    const rows = held({ value: 'bergen', day: 1, document: 'd1' });
    return withdraw(rows, 'bergen').changes.map((change) => change.after);
  };

  test('goes through the gates again where it was over for that reason', () => {
    const plan = restore(revised(), true);
    expect(steps(plan)).toEqual([['superseded', 'active', 'reinstated']]);
    expect(plan.changes[0]?.after).toMatchObject({ state: 'active', corroboration: 1 });
  });

  test('stays over where it ended for another reason, with one more who says it', () => {
    const plan = restore(revised(), false);
    expect(steps(plan)).toEqual([]);
    expect(plan.changes[0]?.after).toMatchObject({ state: 'superseded', corroboration: 1 });
  });

  test('stays over where another says the same at its place by now', () => {
    const [over] = revised();
    const [other] = held({ value: 'bergen', day: 2, document: 'd2' });
    if (over === undefined || other === undefined) throw new Error('no statements');
    const rows = [over, { ...other, id: 'other' }];
    expect(steps(restore(rows, true))).toEqual([]);
  });

  test('ends again what it had updated', () => {
    const rows = held(
      { value: 'oslo', day: 1, document: 'd2' },
      { value: 'bergen', day: 2, document: 'd1' },
    );
    const changed = new Map(
      withdraw(rows, 'bergen').changes.map((change) => [change.after.id, change.after]),
    );
    const now = rows.map((row) => changed.get(row.id) ?? row);
    expect(after(now, restore(now, true))).toEqual({
      oslo: ['superseded', true],
      bergen: ['active', false],
    });
  });
});
