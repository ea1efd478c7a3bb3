/**
 * Matters, from relations: what people work on together. A project or a case is a matter, and so is a person whom others
 * serve. A programme is open: it concerns everybody.
 */
import { OUTSIDE } from './roles.ts';
import { rolesOf, type EpisodeShape, type Relation } from './structure.ts';

/** `full`: needs to know all of the matter. The others are tied to it with a limit. */
type Part = 'full' | 'scheduling' | 'credentials' | 'little';

interface Tie {
  readonly peer: string;
  readonly matter: string;
  readonly part: Part;
}

export interface Matter {
  readonly name: string;
  /** The person whom it is about; null for a project or a case of nobody. */
  readonly subject: string | null;
  readonly ties: ReadonlyMap<string, Part>;
}

const LIMITS = ['access_scope', 'access_level', 'scope'] as const;
const OPEN_THING = 'program_id';
const SERVED = 'for_principal_id';

function partOf({ type = '', ...fields }: Relation, role: string): Part {
  const limit = LIMITS.map((name) => fields[name]).find((value) => value !== undefined);
  if (limit !== undefined && /credential/u.test(limit)) return 'credentials';
  if (limit !== undefined && /schedul|calendar|logistic|summary/u.test(limit)) {
    return OUTSIDE.has(role) ? 'little' : 'scheduling';
  }
  return limit !== undefined || OUTSIDE.has(role) || /delegate/u.test(type) ? 'little' : 'full';
}

/** The things that a relation names, by field and id: everything ending in `_id` that is no person. */
function thingsOf(relation: Relation, isPerson: (id: string) => boolean): string[] {
  return Object.entries(relation)
    .filter(([field, id]) => field.endsWith('_id') && field !== OPEN_THING && !isPerson(id))
    .map(([, id]) => id);
}

/** A case with a subject is that person's matter, so both names mean one. */
function subjectsOfThings(
  relations: readonly Relation[],
  isPerson: (id: string) => boolean,
): ReadonlyMap<string, string> {
  return new Map(
    relations.flatMap((relation) => {
      const { type = '', principal_id } = relation;
      if (!type.endsWith('_subject') || principal_id === undefined) return [];
      return thingsOf(relation, isPerson).map((thing) => [thing, principal_id] as const);
    }),
  );
}

const isDelegation = ({ type }: Relation): boolean => (type ?? '').includes('delegate');

function directTies(episode: EpisodeShape): Tie[] {
  const roles = rolesOf(episode);
  const isPerson = (id: string): boolean => roles.has(id);
  const subjects = subjectsOfThings(episode.relations, isPerson);
  return episode.relations
    .filter((relation) => !isDelegation(relation))
    .flatMap((relation) => {
      const { principal_id: peer, [SERVED]: served } = relation;
      if (peer === undefined) return [];
      const things = thingsOf(relation, isPerson).map((thing) => subjects.get(thing) ?? thing);
      const matters = new Set(served === undefined ? things : [...things, served]);
      const part = partOf(relation, roles.get(peer) ?? '');
      return [...matters].map((matter) => ({ peer, matter, part }));
    });
}

/** A delegate is tied to the matters of the person whom she stands in for, with the limit of the delegation. */
function delegatedTies(episode: EpisodeShape, direct: readonly Tie[]): Tie[] {
  const roles = rolesOf(episode);
  return episode.relations.filter(isDelegation).flatMap((relation) => {
    const { principal_id: peer, [SERVED]: principal } = relation;
    if (peer === undefined || principal === undefined) return [];
    const part = partOf(relation, roles.get(peer) ?? '');
    return direct
      .filter((tie) => tie.peer === principal)
      .map(({ matter }) => ({ peer, matter, part }));
  });
}

/** The private matters of an episode. Somebody with several ties to one keeps the fullest. */
export function mattersOf(episode: EpisodeShape): readonly Matter[] {
  const roles = rolesOf(episode);
  const direct = directTies(episode);
  const ties = [...direct, ...delegatedTies(episode, direct)];
  return [...new Set(ties.map(({ matter }) => matter))].map((name) => {
    const own = ties.filter(({ matter }) => matter === name);
    const fullest = new Map<string, Part>();
    for (const { peer, part } of own) {
      if (part === 'full' || !fullest.has(peer)) fullest.set(peer, part);
    }
    const subject = roles.has(name) ? name : null;
    if (subject !== null) fullest.set(subject, 'full');
    return { name, subject, ties: fullest };
  });
}
