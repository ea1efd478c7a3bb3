/** Holds a predicate to the judge, over every cell, reader and view. */
import {
  visibleByDefault,
  visibleInState,
  type ChainReader,
  type Condition,
  type LineageVisibility,
  type VisibilityQuery,
} from '../../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../../../domain/statements/states.ts';
import { holds, type Row, type Values } from '../../../unit/governance/governed-rows.ts';
import { allStatements, type StatementCell } from './cells.ts';
import type { Cell } from '../table.ts';
import {
  aspectsOf,
  inLineage,
  isBelieved,
  isInReadiness,
  isListed,
  isOwn,
  isSpokenOf,
  READERS,
  type ReaderKind,
} from './judge.ts';

/** The views of a predicate. */
export interface Predicate {
  visibleByDefault(query: VisibilityQuery): Condition;
  visibleInState(
    state: KnowledgeState,
    query: VisibilityQuery,
    curatedScopeIds: readonly string[],
  ): Condition;
  visibleInLineage(query: VisibilityQuery): LineageVisibility;
  visibleToReadiness(query: VisibilityQuery): Condition;
  aboutSubject(peerId: string, which: 'any' | 'listed'): Condition;
  spokenOf(query: Omit<VisibilityQuery, 'reader'>): Condition;
}

export const AT = '2026-02-01T00:00:00.000Z';
const EXPIRY = {
  never: null,
  over: '2026-01-31T00:00:00.000Z',
  'to come': '2026-03-01T00:00:00.000Z',
} as const;
const READER = 'reader';
const AUDIENCES = { 'to all': null, 'to the reader': [READER], 'to others': ['other'] } as const;
const CURATED = 'curated';

const asPeer = (peerId: string) => ({ posture: 'peer', peerId }) as const;
const CHAIN_READERS: Readonly<Record<ReaderKind, ChainReader>> = {
  peer: asPeer(READER),
  nobody: { posture: 'public_only' },
  'named where curated': {
    posture: 'named',
    named: asPeer(READER),
    otherwise: asPeer('caller'),
    scopeIds: [CURATED],
  },
};

const BEFORE: Readonly<Record<StatementCell['history'], readonly KnowledgeState[]>> = {
  new: [],
  'waited before': ['proposed', 'provisional'],
  'placed before': ['provisional', 'stale'],
};

/** A statement as the cell describes it. */
export function rowOf(cell: StatementCell): Row {
  const now: Values = {
    scope_id: cell.place,
    state: cell.state,
    sensitivity: cell.sensitivity,
    target_level: cell.level,
  };
  return {
    periods: [...BEFORE[cell.history].map((state) => ({ ...now, state })), now],
    subject_peer_id: cell.subject === 'scope' ? null : cell.subject,
    audience: AUDIENCES[cell.addressed],
    submitting_peer_ids: cell.submitter === 'reader' ? ['relay', READER] : ['relay', 'other'],
    expires_at: EXPIRY[cell.expiry],
    is_served: cell.served === 'yes',
  };
}

interface View {
  readonly name: string;
  readonly ofPredicate: (row: Row, now: Values) => unknown;
  readonly ofJudge: (found: Cell) => unknown;
}

const queryOf = (kind: ReaderKind): VisibilityQuery => ({
  scopeIds: ['in the chain', CURATED],
  reader: CHAIN_READERS[kind],
  at: AT,
});

function viewsOf(predicate: Predicate, kind: ReaderKind): readonly View[] {
  const query = queryOf(kind);
  const seenBy = (condition: Condition) => (row: Row, now: Values) => holds(condition, row, now);
  const believed = predicate.visibleByDefault(query);
  const lineage = predicate.visibleInLineage(query);
  const listings = KNOWLEDGE_STATES.map((state) => ({
    name: `listed as ${state}`,
    ofPredicate: seenBy(predicate.visibleInState(state, query, [CURATED])),
    ofJudge: (found: Cell) => isListed(found, state),
  }));
  const ofOthers: readonly View[] = [
    {
      name: 'believed',
      ofPredicate: seenBy(believed),
      ofJudge: isBelieved,
    },
    ...listings,
    {
      name: 'in lineage',
      ofPredicate(row, now) {
        if (!holds(lineage.authorised, row, now)) return 'authorization_hidden';
        return holds(lineage.shown, row, now) ? 'visible' : 'lifecycle_hidden';
      },
      ofJudge: inLineage,
    },
    {
      name: 'in readiness',
      ofPredicate: seenBy(predicate.visibleToReadiness(query)),
      ofJudge: isInReadiness,
    },
    {
      name: 'spoken of',
      ofPredicate: seenBy(predicate.spokenOf(query)),
      ofJudge: isSpokenOf,
    },
  ];
  if (kind !== 'peer') return ofOthers;
  const own = seenBy(predicate.aboutSubject(READER, 'listed'));
  return [...ofOthers, { name: 'own record', ofPredicate: own, ofJudge: isOwn }];
}

interface Found {
  readonly cell: StatementCell;
  readonly row: Row;
  readonly aspects: Cell;
}

const found = new Map<ReaderKind, readonly Found[]>();

/** Every statement that can be, before the reader: the same list at every call. */
export function statementsFor(kind: ReaderKind): readonly Found[] {
  const all =
    found.get(kind) ??
    allStatements().map((cell) => ({ cell, row: rowOf(cell), aspects: aspectsOf(cell, kind) }));
  found.set(kind, all);
  return all;
}

/** A condition that the service renders for its stores, and what the judge says of it. */
export interface JudgedView {
  readonly name: string;
  readonly condition: Condition;
  readonly isShown: (found: Cell) => boolean;
}

/** What the reader finds, and lists of each state. */
export function conditionsOf(kind: ReaderKind): readonly JudgedView[] {
  const query = queryOf(kind);
  return [
    { name: 'believed', condition: visibleByDefault(query), isShown: isBelieved },
    ...KNOWLEDGE_STATES.map((state) => ({
      name: `listed as ${state}`,
      condition: visibleInState(state, query, [CURATED]),
      isShown: (found: Cell) => isListed(found, state),
    })),
  ];
}

export interface PredicateReport {
  readonly compared: number;
  /** Where predicate and judge differ, by view, in the words of the cell. */
  readonly faults: readonly string[];
}

/** Compares everything, or until there are `mostFaults`. */
export function checkPredicate(predicate: Predicate, mostFaults = Infinity): PredicateReport {
  const faults: string[] = [];
  let compared = 0;
  for (const kind of READERS) {
    for (const { name, ofJudge, ofPredicate } of viewsOf(predicate, kind)) {
      for (const { aspects, cell, row } of statementsFor(kind)) {
        const now = row.periods.at(-1);
        if (now === undefined) throw new Error('a statement without a period');
        const [answer, expected] = [ofPredicate(row, now), ofJudge(aspects)];
        compared += 1;
        if (answer === expected) continue;
        faults.push(`${kind}, ${name}: ${Object.values(cell).join(', ')}: ${String(answer)}`);
        if (faults.length >= mostFaults) return { compared, faults };
      }
    }
  }
  return { compared, faults };
}
