/**
 * Which statements of one subject and attribute a newer one ends, supersedes or contradicts. One pure function of the
 * set of statements as their gates left them. The order of arrival does not matter: a late arrival is applied as if
 * it had come in its place, and an update that no longer holds is undone.
 */
import type { AttributeClaim } from '../statements/attributes.ts';
import { compareMoments, type Moment } from '../statements/attestation.ts';
import { isSameAudience } from '../audiences/principals.ts';
import { NewerEntries, type EntryTraits, type Newer } from './newer-entries.ts';
import { compareWords } from '../statements/source.ts';
import { isKnownToReadersOf, placeOf, standsHigher } from '../statements/standing.ts';
import { standingOf, type Statement, type Update } from '../statements/statement.ts';

export interface Timeline {
  /** By the id of the older statement. */
  readonly updates: ReadonlyMap<string, Update>;
  /** By the id of the newer statement: the newest of those it supersedes. */
  readonly supersedes: ReadonlyMap<string, string>;
  /** By the id of the newer statement: those of higher standing that it contradicts, sorted. */
  readonly conflicts: ReadonlyMap<string, readonly string[]>;
}

export interface TimelineContext {
  /** The ids of a scope's chain, outermost first, by scope id. */
  readonly chains: ReadonlyMap<string, readonly string[]>;
}

/** A statement with the values that give its place in the order. */
interface Entry {
  readonly statement: Statement;
  readonly claim: AttributeClaim;
  readonly owner: string;
  readonly said: Moment;
  readonly from: string | null;
}

/** The owner of the statement: its subject when it spoke, else the speaker or document that said it first. */
function ownerOf({ attestation, evidenceLevel, subject }: Statement): string {
  return evidenceLevel === 'direct' ? subject.id : (attestation.first?.by ?? subject.id);
}

/** The last time its owner said it. Others who say it attest it, and do not make it newer. */
function saidLast({ attestation, wording }: Statement, owner: string): Moment {
  return attestation.lastSaid.get(owner) ?? { at: wording.occurredAt, hash: wording.sourceHash };
}

/** Whether the owner of the first statement said it after the owner of the second one said that. */
export function isSaidAfter(first: Statement, second: Statement): boolean {
  const [a, b] = [saidLast(first, ownerOf(first)), saidLast(second, ownerOf(second))];
  return compareMoments(a, b) > 0;
}

/** Statements that may be updated or update: not refused, not over, not waiting after a refusal. */
export function takesPart(statement: Statement): boolean {
  const standing = standingOf(statement.state);
  return standing === 'placed' || (standing === 'unplaced' && !statement.previouslyRefused);
}

function entryOf(statement: Statement): Entry[] {
  const { claim, relevantFrom } = statement.wording;
  if (claim === null || !takesPart(statement)) return [];
  const owner = ownerOf(statement);
  const said = saidLast(statement, owner);
  return [{ statement, claim, owner, said, from: relevantFrom?.at ?? null }];
}

function byStart(a: Entry, b: Entry): number {
  return (
    compareWords(a.from ?? '', b.from ?? '') ||
    compareMoments(a.said, b.said) ||
    compareWords(a.statement.statementHash, b.statement.statementHash) ||
    compareWords(a.statement.scopeId, b.statement.scopeId) ||
    compareWords(a.statement.id, b.statement.id)
  );
}

/**
 * Oldest first. If both statements have a start, the later start is newer. Otherwise the later saying is newer. To make
 * this a total order, a statement with a start counts as said no later than any statement that starts after it.
 */
function inOrder(entries: readonly Entry[]): readonly Entry[] {
  const places = new Map<Entry, Moment>(entries.map((entry) => [entry, entry.said]));
  const dated = entries.filter(({ from }) => from !== null).toSorted(byStart);
  let least: Moment | null = null;
  for (const entry of dated.toReversed()) {
    least = least === null || compareMoments(entry.said, least) < 0 ? entry.said : least;
    places.set(entry, least);
  }
  const place = (entry: Entry): Moment => places.get(entry) ?? entry.said;
  return entries.toSorted(
    (a, b) =>
      compareMoments(place(a), place(b)) ||
      Number(a.from !== null) - Number(b.from !== null) ||
      byStart(a, b),
  );
}

/** Whether both attribute claims cannot be true. The older one does not say that something ended. */
function contradicts(newer: AttributeClaim, older: AttributeClaim): boolean {
  if (newer.mode === 'ended') return newer.value === null || newer.value === older.value;
  return newer.value !== older.value;
}

/** The update that `newer` would make to `older`, which it contradicts; null if `older` had already ended. */
function effectOf(newer: Entry, older: Entry): Omit<Update, 'byId'> | null {
  const { relevantFrom, relevantUntil } = older.statement.wording;
  const ends = newer.claim.mode === 'corrects' ? null : newer.statement.wording.relevantFrom;
  const isOver = relevantUntil !== null && relevantUntil.at <= (ends?.at ?? newer.said.at);
  if (isOver) return null;
  const stateBefore = older.statement.state;
  const wouldBeEmpty = ends !== null && relevantFrom !== null && relevantFrom.at >= ends.at;
  return { ends: wouldBeEmpty ? null : ends, stateBefore };
}

/** Whether the newer statement may act on the older, needs a person for it, or has nothing to do with it. */
function relationOf(
  { chains }: TimelineContext,
  newer: Entry,
  older: Entry,
): 'acts' | 'conflict' | 'none' {
  const [a, b] = [newer.statement, older.statement];
  const place = placeOf(a.scopeId, b.scopeId, chains);
  // A statement and its edited text never stand side by side.
  const isEdit = a.replacesId === b.id || b.replacesId === a.id;
  if (place === 'apart' || isEdit) return 'none';
  const unplaced = standingOf(a.state) === 'unplaced' && standingOf(b.state) === 'unplaced';
  if (unplaced && newer.owner !== older.owner) return 'none';
  if (place === 'below' || standsHigher(b, a)) {
    // Who decides about one of two audiences may not know of the other, or could change nothing of it.
    return isSameAudience(a.audience, b.audience) ? 'conflict' : 'none';
  }
  return isKnownToReadersOf(b, a) ? 'acts' : 'none';
}

interface Found {
  readonly update: Update | null;
  /** Ids of newer statements that would act if the older one did not stand higher. */
  readonly challengers: readonly string[];
}

function* contradicting(older: Entry, after: Newer<Entry>): Generator<Entry> {
  // A claim that something ended stays true whatever comes after it.
  if (older.claim.mode === 'ended') return;
  for (let newer = after.current; newer !== undefined; newer = after.current) {
    if (contradicts(newer.claim, older.claim)) {
      after.pass();
      yield newer;
    } else after.passClaim();
  }
}

/** How the statements after it in the order change one statement. */
function fateOf(older: Entry, after: Newer<Entry>, context: TimelineContext): Found {
  const challengers: string[] = [];
  let found: { readonly update: Update; readonly claim: AttributeClaim } | null = null;
  for (const newer of contradicting(older, after)) {
    const effect = effectOf(newer, older);
    const relation = effect === null ? 'none' : relationOf(context, newer, older);
    if (relation === 'conflict' && found === null) challengers.push(newer.statement.id);
    if (effect === null || relation !== 'acts') continue;
    // A statement that says the same as the one that ended it may know the date.
    if (found !== null && !isSameChange(found.claim, newer.claim)) break;
    if (found === null || effect.ends !== null) {
      found = { update: { byId: newer.statement.id, ...effect }, claim: newer.claim };
    }
    if (effect.ends !== null) break;
  }
  return { update: found?.update ?? null, challengers };
}

function isSameChange(a: AttributeClaim, b: AttributeClaim): boolean {
  return a.mode === b.mode && a.value === b.value;
}

const TRAITS: EntryTraits<Entry> = {
  isPlaced: ({ statement }) => standingOf(statement.state) === 'placed',
  ownerOf: ({ owner }) => owner,
  claimsSame: (a, b) => isSameChange(a.claim, b.claim),
};

/** The most contradicted statements that a review names: the newest of them. */
export const MOST_CONFLICTS = 100;

/**
 * Reads the statements of one subject about one attribute, each without the update it carries. All of them are for one
 * audience, or for more than that.
 */
export function readTimeline(statements: readonly Statement[], context: TimelineContext): Timeline {
  const entries = inOrder(statements.flatMap(entryOf));
  const updates = new Map<string, Update>();
  const supersedes = new Map<string, string>();
  const conflicts = new Map<string, string[]>();
  const newer = new NewerEntries(TRAITS);
  for (const [rank, older] of [...entries.entries()].toReversed()) {
    const { update, challengers } = fateOf(older, newer.concerning(older), context);
    const { id } = older.statement;
    if (update !== null) updates.set(id, update);
    const isNewest = update !== null && !supersedes.has(update.byId);
    if (isNewest && update.ends === null) supersedes.set(update.byId, id);
    for (const challenger of challengers) {
      const known = conflicts.get(challenger) ?? [];
      if (known.length < MOST_CONFLICTS) known.push(id);
      conflicts.set(challenger, known);
    }
    newer.enter(older, rank);
  }
  for (const ids of conflicts.values()) ids.sort(compareWords);
  return { updates, supersedes, conflicts };
}

/** The statement as it would be without its update. */
export function withoutUpdate(statement: Statement): Statement {
  const { update } = statement;
  return update === null ? statement : { ...statement, state: update.stateBefore, update: null };
}
