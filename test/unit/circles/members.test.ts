/** What a change makes of the members of a circle. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { planMembers, type MemberChange } from '../../../domain/circles/members.ts';

const id = fc.constantFrom<string>('a', 'b', 'c', 'd', 'e');
const ids = fc.array(id, { maxLength: 8 });
const distinct = fc.uniqueArray(id);
const changes = fc.record({ replace: fc.option(ids), add: ids, remove: ids });

/** The members after what was planned. */
function after(current: readonly string[], change: MemberChange): ReadonlySet<string> {
  const { added, removed } = planMembers(current, change);
  return new Set([...current.filter((id) => !removed.includes(id)), ...added]);
}

describe('a change of members', () => {
  test('leaves those who were to be members or joined, without those who were to leave', () => {
    fc.assert(
      fc.property(distinct, changes, (current, change) => {
        const wanted = new Set([...(change.replace ?? current), ...change.add]);
        for (const id of change.remove) wanted.delete(id);
        expect(after(current, change)).toEqual(wanted);
        expect(planMembers(current, change).count).toBe(wanted.size);
      }),
    );
  });

  test('adds nobody who is a member, removes nobody who is none, and names each once', () => {
    fc.assert(
      fc.property(distinct, changes, (current, change) => {
        const { added, removed } = planMembers(current, change);
        expect(added.filter((id) => current.includes(id))).toEqual([]);
        expect(removed.filter((id) => !current.includes(id))).toEqual([]);
        expect([new Set(added).size, new Set(removed).size]).toEqual([
          added.length,
          removed.length,
        ]);
      }),
    );
  });

  test('made twice changes nothing the second time', () => {
    fc.assert(
      fc.property(distinct, changes, (current, change) => {
        const { added, removed } = planMembers([...after(current, change)], change);
        expect([added, removed]).toEqual([[], []]);
      }),
    );
  });
});
