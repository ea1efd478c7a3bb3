/**
 * What the mapping may look at: people with their roles, stated relations, and of each turn its speaker, kind and time.
 * The words of a turn are left out of these types, so no rule can read them.
 */

import type { Term } from './terms.ts';

/** A stated relation: its type, and fields that name people, things and limits. */
export type Relation = Readonly<Record<string, string>>;

export interface Principal {
  readonly id: string;
  readonly role: string;
}

export interface TurnShape {
  readonly speaker: string;
  /** Null where the set names none. */
  readonly kind: string | null;
  /** A local time such as `2026-04-08T09:00`; null where the set names none. */
  readonly at: string | null;
}

export interface EpisodeShape {
  readonly principals: readonly Principal[];
  readonly relations: readonly Relation[];
  readonly turns: readonly TurnShape[];
}

/** Whom a turn is for. Null in its place is a turn for everyone in the scope. */
export interface Audience {
  readonly peers: readonly string[];
  readonly circles: readonly string[];
}

export interface Circle {
  readonly name: string;
  /** Each member, with the days on which the membership holds. */
  readonly members: ReadonlyMap<string, Term>;
}

/** The audience of a turn, with the name of the rule that chose it. */
export interface Addressed {
  readonly audience: Audience | null;
  readonly rule: string;
}

export interface Mapping {
  readonly circles: readonly Circle[];
  /** One for each turn, in order. */
  readonly addressed: readonly Addressed[];
}

/** The role of everyone, by id. */
export function rolesOf({ principals }: EpisodeShape): ReadonlyMap<string, string> {
  return new Map(principals.map(({ id, role }) => [id, role]));
}
