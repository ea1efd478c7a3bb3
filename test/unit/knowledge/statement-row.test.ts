import fc from 'fast-check';
import { expect, test } from '@jest/globals';
import { COUNTED_COLUMNS, WRITTEN_COLUMNS } from '../../../domain/statements/columns.ts';
import { planProposals } from '../../../domain/knowledge/planning.ts';
import type { Statement } from '../../../domain/statements/statement.ts';
import { countsOf, rowOf, statementOf } from '../../../domain/statements/statement-row.ts';
import { context, proposal } from './fixtures.ts';

function newStatement(): Statement {
  const [change] = planProposals([proposal()], [], context()).changes;
  if (change === undefined) throw new Error('a proposal makes a statement');
  return change.after;
}
const NEW = newStatement();

const windowEnd = fc.record({
  at: fc.constantFrom('2024-02-01T00:00:00.000Z', '2025-02-01T00:00:00.000Z'),
  precision: fc.constantFrom('day', 'month'),
} as const);
const mayBe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** Statements that differ in whatever the row spreads over several columns. */
const statements: fc.Arbitrary<Statement> = fc
  .record({
    subject: fc.constantFrom({ type: 'peer', id: 'ana' }, { type: 'scope', id: 'team' } as const),
    claim: mayBe(fc.constant({ about: 'residence', value: 'lisbon', mode: 'holds' } as const)),
    relevantFrom: mayBe(windowEnd),
    relevantUntil: mayBe(windowEnd),
    update: mayBe(
      fc.oneof(
        fc.record({
          byId: fc.constant('k2'),
          ends: windowEnd,
          stateBefore: fc.constant(NEW.state),
        }),
        fc.constant({ byId: 'k2', ends: null, stateBefore: 'active' } as const),
      ),
    ),
    first: mayBe(fc.constant(NEW.attestation.first)),
  })
  .map(({ subject, update, first, ...wording }) => ({
    ...NEW,
    subject,
    update,
    wording: { ...NEW.wording, ...wording },
    attestation: { ...NEW.attestation, first },
  }));

test('a statement that is written to its row is read as it was', () => {
  fc.assert(
    fc.property(statements, (statement) => {
      const row = { ...rowOf(statement), ...countsOf(statement) };
      const { attestation } = statement;
      // Sources that were added are counted among those that it has when it is read.
      const sourceCount = attestation.sourceCount + attestation.added.length;
      const audiencePrincipals = statement.audience?.principals ?? [];
      expect(statementOf(row, { ...statement, audiencePrincipals })).toEqual({
        ...statement,
        attestation: { ...attestation, sourceCount },
      });
    }),
  );
});

test('a statement has a value for every column that commits write', () => {
  expect(Object.keys(rowOf(NEW)).toSorted()).toEqual(WRITTEN_COLUMNS.toSorted());
  expect(Object.keys(countsOf(NEW)).toSorted()).toEqual(COUNTED_COLUMNS.toSorted());
});
