/** Faults of the desk: each takes one rule out. */
import type { Fault } from '../fault.ts';

const WITHHELD = 'test/unit/knowledge/withheld.test.ts';
const UNDO = 'test/integration/governance/undo.test.ts';
const REOPEN = 'test/integration/governance/reopen.test.ts';

export const OF_THE_DESK: readonly Fault[] = [
  {
    part: 'withheld and gates',
    what: 'The gates place what a curator withholds.',
    file: 'domain/governance/gates.ts',
    find: 'if (input.isWithheld) {',
    replace: 'if (input.isWithheld && input.previouslyRefused) {',
    caughtBy: [WITHHELD],
  },
  {
    part: 'withheld and items',
    what: 'An item of another kind places what a curator withholds.',
    file: 'domain/knowledge/ruling.ts',
    find: 'if (!rule.openIn.includes(state) || isOther) return null;',
    replace: "if (!rule.openIn.includes(state) || (isOther && state === 'active')) return null;",
    caughtBy: [WITHHELD],
  },
  {
    part: 'withheld and its subject',
    what: 'The yes of its subject places what a curator withholds.',
    file: 'domain/knowledge/ruling.ts',
    find: "(actual.targetLevel !== 'peer' || actual.isWithheld);",
    replace: "actual.targetLevel !== 'peer';",
    caughtBy: [WITHHELD, REOPEN],
  },
  {
    part: 'withheld and sources',
    what: 'A further source changes what a curator withholds.',
    file: 'domain/knowledge/draft.ts',
    find: 'if (statement.isWithheld) {',
    replace: 'if (statement.isWithheld && statement.previouslyRefused) {',
    caughtBy: [WITHHELD],
  },
  {
    part: 'withheld and its item',
    what: 'What comes back withheld has no item.',
    file: 'domain/knowledge/plan-draft.ts',
    find: "if (to === 'held' && after?.isWithheld === true) {",
    replace: "if (to === 'held' && after?.id === '') {",
    caughtBy: [WITHHELD, REOPEN],
  },
  {
    part: 'decisions beside one that waits',
    what: 'Another decision is taken while one waits.',
    file: 'engine/desk/decision.ts',
    find: 'if (!isSeen || (await stores.scheduledDecisions.waitingFor(item.id)) !== null) {',
    replace: 'if (!isSeen) {',
    caughtBy: [UNDO],
  },
  {
    part: 'decisions among many',
    what: 'A contest is decided among many.',
    file: 'engine/desk/decision.ts',
    find: 'const isSeen = decided.isAmongMany !== true || !DECIDED_ALONE.includes(item.kind);',
    replace: "const isSeen = decided.isAmongMany !== true || item.kind !== 'gate_b';",
    caughtBy: [REOPEN],
  },
  {
    part: 'waiting decisions and versions',
    what: 'A decision about another version is carried out.',
    file: 'domain/governance/decisions.ts',
    find: "return item.version === version ? null : 'item_changed';",
    replace: "return item.version >= version ? null : 'item_changed';",
    caughtBy: [UNDO],
  },
  {
    part: 'waiting decisions and deadlines',
    what: 'A decision is carried out after the deadline of its item.',
    file: 'domain/governance/decisions.ts',
    find: 'const fellDue = decidedAt < item.dueAt && item.dueAt <= now;',
    replace: 'const fellDue = decidedAt > item.dueAt && item.dueAt <= now;',
    caughtBy: [UNDO],
  },
  {
    part: 'waiting decisions and logins',
    what: 'A decision is carried out for somebody who can no longer sign in.',
    file: 'stores/postgres/identity/caller.store.ts',
    find: 'l.peer_id = p.id and l.closed_at is null',
    replace: 'l.peer_id = p.id',
    caughtBy: [UNDO],
  },
];
