/** Generated statements, readers and conditions, and what a condition means: the law that renderings are held to. */
import fc from 'fast-check';
import {
  visibleByDefault,
  visibleInState,
  type ChainReader,
  type Condition,
  type Reader,
} from '../../../domain/governance/visibility.ts';
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../../domain/statements/states.ts';
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';

export const SCOPES = ['s1', 's2', 's3'] as const;
export const PEERS = ['p1', 'p2', 'p3'] as const;
export const CIRCLES = ['circle-a', 'circle-b'] as const;
export const INSTANTS = [
  '2026-01-01T00:00:00.000Z',
  '2026-02-01T00:00:00.000Z',
  '2026-03-01T00:00:00.000Z',
];

export interface Values {
  readonly scope_id: string;
  readonly state: KnowledgeState;
  readonly sensitivity: string;
  readonly target_level: string;
}

export interface Row {
  readonly periods: readonly Values[];
  readonly subject_peer_id: string | null;
  readonly submitting_peer_ids: readonly string[];
  /** The principals that its audience names; null without an audience. */
  readonly audience: readonly string[] | null;
  readonly expires_at: string | null;
  /** Holds left something of it to serve. */
  readonly is_served: boolean;
}

const values = fc.record({
  scope_id: fc.constantFrom(...SCOPES),
  state: fc.constantFrom(...KNOWLEDGE_STATES),
  sensitivity: fc.constantFrom(...SENSITIVITIES),
  target_level: fc.constantFrom(...TARGET_LEVELS),
});
export const row: fc.Arbitrary<Row> = fc.record({
  periods: fc.array(values, { minLength: 1, maxLength: 3 }),
  subject_peer_id: fc.constantFrom(null, ...PEERS),
  submitting_peer_ids: fc.subarray([...PEERS]),
  audience: fc.option(fc.subarray([...PEERS, ...CIRCLES])),
  expires_at: fc.constantFrom(null, ...INSTANTS),
  is_served: fc.boolean(),
});
/** One reader for a whole chain. */
export const reader: fc.Arbitrary<Reader> = fc.oneof(
  fc.record({
    posture: fc.constant('peer' as const),
    peerId: fc.constantFrom(...PEERS),
    memberships: fc.subarray([...CIRCLES]),
  }),
  fc.constant({ posture: 'public_only' as const }),
  fc.constant({ posture: 'internal' as const }),
);
/** One reader, or a named one in some of the scopes. */
export const chainReader: fc.Arbitrary<ChainReader> = fc.oneof(
  reader,
  fc.record({
    posture: fc.constant('named' as const),
    named: reader,
    otherwise: reader,
    scopeIds: fc.subarray([...SCOPES]),
  }),
);
export const condition = fc
  .record({
    scopeIds: fc.subarray([...SCOPES]),
    curated: fc.subarray([...SCOPES]),
    reader: chainReader,
    at: fc.constantFrom(...INSTANTS),
    state: fc.constantFrom(null, ...KNOWLEDGE_STATES),
  })
  .map(({ scopeIds, curated, reader, at, state }) =>
    state === null
      ? visibleByDefault({ scopeIds, reader, at })
      : visibleInState(state, { scopeIds, reader, at }, curated),
  );

/** What the condition means, for one set of governed values. */
export function holds(wanted: Condition, row: Row, now: Values): boolean {
  if ('all' in wanted) return wanted.all.every((part) => holds(part, row, now));
  if ('any' in wanted) return wanted.any.some((part) => holds(part, row, now));
  switch (wanted.field) {
    case 'scope_id':
    case 'state':
    case 'sensitivity':
    case 'target_level':
      return (wanted.in as readonly string[]).includes(now[wanted.field]);
    case 'ever_state':
      return row.periods.some(({ state }) => (wanted.in as readonly string[]).includes(state));
    case 'subject_peer_id':
      return 'is' in wanted ? row.subject_peer_id === wanted.is : row.subject_peer_id === null;
    case 'submitting_peer_ids':
      return row.submitting_peer_ids.includes(wanted.contains);
    case 'audience': {
      if (row.audience === null) return true;
      const { admits } = wanted;
      return (
        admits !== null &&
        row.audience.some((named) => [admits.peerId, ...admits.memberships].includes(named))
      );
    }
    case 'is_served':
      return row.is_served;
    case 'expires_at':
      return row.expires_at === null || row.expires_at > wanted.nullOrAfter;
  }
}
