/**
 * The shelves that let a listing under a predicate read its statements in order. The statements of a scope lie on
 * shelves by state and audience. Further shelves hold the statements about one peer and those that one peer submitted.
 * A walk reads one shelf, best first, and applies the predicate to every statement that it meets. A walk may meet too
 * many statements; all walks together miss none.
 */
import type { Sensitivity } from '../statements/candidate.ts';
import type { Condition } from './visibility.ts';
import type { KnowledgeState } from '../statements/states.ts';

/**
 * The readers of an active statement besides its subject and its submitters. `addressed`: of one with an audience,
 * those whom it names. Of the others, `everybody`: of a public one; `scope`: of an internal one, one about a scope, or one
 * above peer level; `few`: of every other.
 */
export type Audience = 'everybody' | 'scope' | 'few' | 'addressed';

const AUDIENCES: readonly Audience[] = ['everybody', 'scope', 'few', 'addressed'];

const OF_SENSITIVITY: Readonly<Record<Sensitivity, readonly Audience[]>> = {
  public: ['everybody', 'addressed'],
  internal: ['scope', 'addressed'],
  personal: ['scope', 'few', 'addressed'],
  restricted: ['scope', 'few', 'addressed'],
};

export type Shelf =
  | { readonly audience: Audience }
  /** The statements about the peer, of audience `few`. */
  | { readonly subjectId: string }
  | { readonly submitterId: string }
  /** The statements with an audience that names one of these principals, or about a peer that is one of them. */
  | { readonly addressees: readonly string[] };

export interface Walk {
  readonly state: KnowledgeState;
  readonly shelf: Shelf;
  readonly scopeIds: readonly string[];
}

type Leaf = Extract<Condition, { field: string }>;

/** The predicate as alternatives, each of which is a list of conditions that hold together. */
function alternatives(condition: Condition): readonly (readonly Leaf[])[] {
  if ('any' in condition) return condition.any.flatMap(alternatives);
  if (!('all' in condition)) return [[condition]];
  return condition.all.reduce<readonly (readonly Leaf[])[]>(
    (sofar, part) => {
      const more = alternatives(part);
      return sofar.flatMap((leaves) => more.map((others) => [...leaves, ...others]));
    },
    [[]],
  );
}

/** The values that all lists have; null without a list. */
function common<T>(lists: readonly (readonly T[])[]): readonly T[] | null {
  const [first, ...others] = lists;
  if (first === undefined) return null;
  return [...new Set(first)].filter((value) => others.every((list) => list.includes(value)));
}

/** The audiences that statements of the alternative can have. */
function audiencesOf(leaves: readonly Leaf[]): readonly Audience[] {
  const narrowed = leaves.map((leaf): readonly Audience[] => {
    if (leaf.field === 'sensitivity') return leaf.in.flatMap((word) => OF_SENSITIVITY[word]);
    if (leaf.field === 'audience' && leaf.admits === null) return ['everybody', 'scope', 'few'];
    const isAboutAScope = leaf.field === 'subject_peer_id' && 'isNull' in leaf;
    const isAbovePeers = leaf.field === 'target_level' && !leaf.in.includes('peer');
    return isAboutAScope || isAbovePeers ? ['everybody', 'scope', 'addressed'] : AUDIENCES;
  });
  return common([AUDIENCES, ...narrowed]) ?? AUDIENCES;
}

function shelvesOf(leaves: readonly Leaf[]): readonly Shelf[] {
  const submitter = leaves.find((leaf) => leaf.field === 'submitting_peer_ids');
  if (submitter !== undefined) return [{ submitterId: submitter.contains }];
  const subjectId = leaves.flatMap((leaf) =>
    leaf.field === 'subject_peer_id' && 'is' in leaf ? [leaf.is] : [],
  )[0];
  const addressees = addresseesOf(leaves, subjectId);
  return audiencesOf(leaves).map((audience): Shelf => {
    if (audience === 'addressed' && addressees !== null) return { addressees };
    return audience === 'few' && subjectId !== undefined ? { subjectId } : { audience };
  });
}

/** The principals whose statements the alternative lets through, of those with an audience. Null: those of all. */
function addresseesOf(
  leaves: readonly Leaf[],
  subjectId: string | undefined,
): readonly string[] | null {
  const admitted = leaves.flatMap((leaf) =>
    leaf.field === 'audience' && leaf.admits !== null ? [leaf.admits] : [],
  )[0];
  if (admitted !== undefined) return [admitted.peerId, ...admitted.memberships];
  return subjectId === undefined ? null : [subjectId];
}

/**
 * The walks that together meet every statement that the predicate lets through. Null when an alternative of the
 * predicate names no scope or no state: such a predicate cannot be walked.
 */
export function walksOf(condition: Condition): readonly Walk[] | null {
  const scopesByWalk = new Map<string, { state: KnowledgeState; shelf: Shelf; ids: Set<string> }>();
  for (const leaves of alternatives(condition)) {
    const scopeIds = common(leaves.flatMap((leaf) => (leaf.field === 'scope_id' ? [leaf.in] : [])));
    const states = common(leaves.flatMap((leaf) => (leaf.field === 'state' ? [leaf.in] : [])));
    if (scopeIds === null || states === null) return null;
    for (const state of states) {
      for (const shelf of shelvesOf(leaves)) {
        const key = JSON.stringify([state, shelf]);
        const walk = scopesByWalk.get(key) ?? { state, shelf, ids: new Set() };
        for (const id of scopeIds) walk.ids.add(id);
        scopesByWalk.set(key, walk);
      }
    }
  }
  return [...scopesByWalk.values()]
    .filter(({ ids }) => ids.size > 0)
    .map(({ state, shelf, ids }) => ({ state, shelf, scopeIds: [...ids] }));
}
