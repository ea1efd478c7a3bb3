/**
 * The attestation of a statement: counts of its sources, not a list. A sentence with 100,000 sources therefore costs the
 * same to read and extend as a sentence with one. Only `withSources` adds a source. `recount_evidence` (migration 0020)
 * computes the same counts from the sources themselves.
 */
import {
  attestedBy,
  attests,
  compareWords,
  sourceIdentity,
  submittersOf,
  type Source,
} from './source.ts';

/** When something was said: by time, then by content hash (lower-case hex). Times are ISO 8601 UTC. */
export interface Moment {
  readonly at: string;
  readonly hash: string;
}

/** The earliest saying; of two at one moment the one with the lower id. */
export interface FirstSaying extends Moment {
  /** The speaker or the document. */
  readonly by: string;
}

export interface Attestation {
  /**
   * The last time that a speaker or a document said it, by their id. It covers the ids that the loading query asked
   * for, the subject and the first attester: one of these that is missing never said it.
   */
  readonly lastSaid: ReadonlyMap<string, Moment>;
  /** Null where nothing attests it, as for a statement edited or imported by hand. */
  readonly first: FirstSaying | null;
  /**
   * Peers that spoke or relayed it: all of them up to `MOST_COMPARED_SUBMITTERS`, beyond it those that the
   * loading query asked for.
   */
  readonly submitters: ReadonlySet<string>;
  readonly submitterCount: number;
  /** Messages that it cited when it was read, or inherits. */
  readonly sourceCount: number;
  /** Those scopes of the loading query in which a source said it. */
  readonly scopeIds: ReadonlySet<string>;
  /** Those identities (`sourceIdentity`) of the loading query that are among its sources. */
  readonly identities: ReadonlySet<string>;
  /** Sources that were added since the statement was read, each message once. */
  readonly added: readonly Source[];
}

/**
 * A statement with more submitters than this is no secret, so a plan does not compare its submitters with those of
 * other statements. A wording or an update that one submitter may not know does not change it.
 */
export const MOST_COMPARED_SUBMITTERS = 64;

export const NO_ATTESTATION: Attestation = {
  lastSaid: new Map(),
  first: null,
  submitters: new Set(),
  submitterCount: 0,
  sourceCount: 0,
  scopeIds: new Set(),
  identities: new Set(),
  added: [],
};

export function compareMoments(a: Moment, b: Moment): number {
  return compareWords(a.at, b.at) || compareWords(a.hash, b.hash);
}

function sayingOf(source: Source): FirstSaying {
  return {
    at: source.saidAt ?? source.occurredAt,
    hash: source.contentHash,
    by: attestedBy(source),
  };
}

function earlier(known: FirstSaying | null, said: FirstSaying): FirstSaying {
  if (known === null) return said;
  return (compareMoments(said, known) || compareWords(said.by, known.by)) < 0 ? said : known;
}

/**
 * The attestation with these sources; the same object when `added` has all their messages already. A second message of
 * one identity is kept as a source and attests nothing, because its speaker is known.
 */
export function withSources(attestation: Attestation, sources: readonly Source[]): Attestation {
  const known = new Set(attestation.added.map(({ messageId }) => messageId));
  const fresh = sources.filter(({ messageId }) => !known.has(messageId));
  if (fresh.length === 0) return attestation;
  const lastSaid = new Map(attestation.lastSaid);
  let { first } = attestation;
  for (const source of fresh.filter(attests)) {
    const said = sayingOf(source);
    const last = lastSaid.get(said.by);
    const isLater = last === undefined || compareMoments(said, last) > 0;
    if (isLater) lastSaid.set(said.by, { at: said.at, hash: said.hash });
    first = earlier(first, said);
  }
  const submitters = new Set([...attestation.submitters, ...submittersOf(fresh)]);
  return {
    lastSaid,
    first,
    submitters,
    submitterCount: attestation.submitterCount + submitters.size - attestation.submitters.size,
    sourceCount: attestation.sourceCount,
    scopeIds: new Set([...attestation.scopeIds, ...fresh.map(({ scopeId }) => scopeId)]),
    identities: new Set([...attestation.identities, ...fresh.map(sourceIdentity)]),
    added: [...attestation.added, ...fresh],
  };
}

/** How many attesters `after` has beyond those of `before`, from which it was made. */
export function newAttesters(before: Attestation, after: Attestation): number {
  return after.lastSaid.size - before.lastSaid.size;
}

/** Whether the source, or an earlier sending of it, is among those of the statement. */
export function includesSource(attestation: Attestation, source: Source): boolean {
  return attestation.identities.has(sourceIdentity(source));
}

/** All its submitters; null when they are too many to be compared. */
export function comparedSubmitters(attestation: Attestation): ReadonlySet<string> | null {
  return attestation.submitterCount > MOST_COMPARED_SUBMITTERS ? null : attestation.submitters;
}

/**
 * The attestation of two statements that become one. Both cover what was asked for, so the sets are exact; the count of
 * submitters is exact where all of them are read, and else the larger of the two.
 */
export function unitedAttestation(a: Attestation, b: Attestation): Attestation {
  const lastSaid = new Map(a.lastSaid);
  for (const [by, said] of b.lastSaid) {
    const known = lastSaid.get(by);
    if (known === undefined || compareMoments(said, known) > 0) lastSaid.set(by, said);
  }
  const submitters = new Set([...a.submitters, ...b.submitters]);
  return {
    lastSaid,
    first: b.first === null ? a.first : earlier(a.first, b.first),
    submitters,
    submitterCount: Math.max(submitters.size, a.submitterCount, b.submitterCount),
    sourceCount: a.sourceCount + b.sourceCount,
    scopeIds: new Set([...a.scopeIds, ...b.scopeIds]),
    identities: new Set([...a.identities, ...b.identities]),
    added: a.added,
  };
}
