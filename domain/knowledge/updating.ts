/** Applies the timelines of a batch to its statements, as their gates left them, and tells what the updates changed. */
import { containsAudience } from '../audiences/principals.ts';
import { isSame, standingOf, type Statement, type Update } from '../statements/statement.ts';
import {
  isSaidAfter,
  readTimeline,
  takesPart,
  withoutUpdate,
  type Timeline,
  type TimelineContext,
} from './updates.ts';

export interface Contradiction {
  /** The newer statement. */
  readonly statement: Statement;
  /** The statements of higher standing. */
  readonly olderIds: readonly string[];
  /** Those that it contradicted and contradicts no more. */
  readonly ended: readonly string[];
}

export interface Updated {
  /** One for each statement that differs from what was loaded. */
  readonly changes: readonly { readonly before: Statement | null; readonly after: Statement }[];
  /** Superseded by this batch, as they are now. */
  readonly superseded: readonly Statement[];
  /** Superseded before the batch and not after it, as they were before it without the update. */
  readonly reinstated: readonly Statement[];
  /** Ids of those superseded both before and after the batch. */
  readonly remaining: ReadonlySet<string>;
  /** Contradictions that the batch began, changed or ended. */
  readonly contradictions: readonly Contradiction[];
}

const NOTHING: Timeline = { updates: new Map(), supersedes: new Map(), conflicts: new Map() };

/**
 * The timeline of an attribute as each audience knows it: what is said to fewer neither changes nor orders what is said to
 * more. A statement is compared with those that everybody whom it is for may read, and it replaced one for the same
 * readers.
 */
function timelinesByAudience(
  group: readonly Statement[],
  context: TimelineContext,
): readonly Timeline[] {
  const byAudience = Map.groupBy(group, ({ audience }) => audience?.id ?? null);
  return [...byAudience.values()].map((own): Timeline => {
    const audience = own[0]?.audience ?? null;
    const known = group.filter((each) => containsAudience(each.audience, audience));
    const isOwn = new Set(own.map(({ id }) => id));
    const { conflicts, supersedes, updates } = readTimeline(known, context);
    const ofOwn = <T>(byId: ReadonlyMap<string, T>) =>
      new Map([...byId].filter(([id]) => isOwn.has(id)));
    return { conflicts: ofOwn(conflicts), supersedes: ofOwn(supersedes), updates: ofOwn(updates) };
  });
}

/** The timelines of every subject and attribute among the statements, as one. */
function timelineOf(statements: Iterable<Statement>, context: TimelineContext): Timeline {
  const claiming = [...statements].filter(({ wording }) => wording.claim !== null);
  const groups = Map.groupBy(
    claiming,
    ({ subject, wording }) => `${subject.id}|${wording.claim?.about ?? ''}`,
  );
  const timelines = [...groups.values()]
    .flatMap((group) => timelinesByAudience(group, context))
    .map(answerable);
  return timelines.length === 0
    ? NOTHING
    : {
        updates: new Map(timelines.flatMap(({ updates }) => [...updates])),
        supersedes: new Map(timelines.flatMap(({ supersedes }) => [...supersedes])),
        conflicts: new Map(timelines.flatMap(({ conflicts }) => [...conflicts])),
      };
}

/** A statement that a newer one supersedes asks nobody about what it contradicts. */
function answerable(timeline: Timeline): Timeline {
  const asks = (id: string): boolean => timeline.updates.get(id)?.ends !== null;
  return { ...timeline, conflicts: new Map([...timeline.conflicts].filter(([id]) => asks(id))) };
}

const isSuperseded = (statement: Statement | undefined): boolean =>
  statement?.update?.ends === null;

interface Versions {
  /** As they were loaded. */
  readonly loaded: ReadonlyMap<string, Statement>;
  /** As their gates leave them, without updates. */
  readonly current: ReadonlyMap<string, Statement>;
}

/**
 * The id of the statement that this one replaced. A reference that an edit or an import made, and no update, stays.
 * So does a reference to a statement that has been superseded for good since, because its document was revised.
 */
function replacedOf(
  { id, state, supersedesId }: Statement,
  timeline: Timeline,
  { loaded, current }: Versions,
): string | null {
  const updated = timeline.supersedes.get(id);
  if (updated !== undefined || supersedesId === null) return updated ?? null;
  // A statement that it ended stays ended.
  if (state === 'expired') return supersedesId;
  const byUpdate = loaded.get(supersedesId)?.update?.byId === id;
  const isOver = current.get(supersedesId)?.state === 'superseded';
  return byUpdate && !isOver ? null : supersedesId;
}

/**
 * The update of a statement. One by a statement that is not known here stays: only a part of a long timeline is read,
 * and the statement that made the update may lie beyond it. One by a statement that has expired stays too, until the
 * older one is said again: what was over does not become true because its successor is not kept any longer.
 */
function updateOf(statement: Statement, timeline: Timeline, versions: Versions): Update | null {
  const before = versions.loaded.get(statement.id)?.update ?? null;
  const now = timeline.updates.get(statement.id) ?? null;
  if (before === null) return now;
  const stays = { ...before, stateBefore: statement.state };
  // An expired statement keeps the end that it had when it expired.
  if (statement.state === 'expired') return before.ends === null ? now : stays;
  if (!takesPart(statement)) return now;
  const by = versions.current.get(before.byId);
  if (by === undefined) return stays;
  return by.state === 'expired' && !isSaidAfter(statement, by) ? (now ?? stays) : now;
}

function applied(statement: Statement, timeline: Timeline, versions: Versions): Statement {
  const update = updateOf(statement, timeline, versions);
  const supersedesId = replacedOf(statement, timeline, versions);
  if (update === null && supersedesId === statement.supersedesId) return statement;
  const state = update?.ends === null ? 'superseded' : statement.state;
  return { ...statement, state, update, supersedesId };
}

function contradictionsOf(
  before: Timeline,
  now: Timeline,
  statements: ReadonlyMap<string, Statement>,
): Contradiction[] {
  const ids = new Set([...before.conflicts.keys(), ...now.conflicts.keys()]);
  return [...ids].flatMap((id) => {
    const statement = statements.get(id);
    const known = before.conflicts.get(id) ?? [];
    const olderIds = now.conflicts.get(id) ?? [];
    const isKnown = known.join() === olderIds.join();
    const ended = known.filter((olderId) => !olderIds.includes(olderId));
    return statement === undefined || isKnown ? [] : [{ statement, olderIds, ended }];
  });
}

/**
 * `known` are the statements as they were loaded, `current` the same and the new ones as their gates leave them,
 * without updates. The statements of each subject and attribute must be among them, or the latest of them.
 */
export function updateStatements(
  known: readonly Statement[],
  current: ReadonlyMap<string, Statement>,
  context: TimelineContext,
): Updated {
  const loaded = new Map(known.map((statement) => [statement.id, statement]));
  const now = timelineOf(current.values(), context);
  const after = [...current.values()].map((statement) =>
    applied(statement, now, { loaded, current }),
  );
  const changed = after.filter((statement) => {
    const before = loaded.get(statement.id);
    return before === undefined || !isSame(before, statement);
  });
  return {
    changes: changed.map((statement) => ({
      before: loaded.get(statement.id) ?? null,
      after: statement,
    })),
    superseded: after.filter(
      (statement) => isSuperseded(statement) && !isSuperseded(loaded.get(statement.id)),
    ),
    reinstated: after.flatMap((statement) => {
      const before = loaded.get(statement.id);
      const isBack = before !== undefined && isSuperseded(before) && !isSuperseded(statement);
      return isBack ? [withoutUpdate(before)] : [];
    }),
    remaining: new Set(
      after
        .filter((statement) => isSuperseded(statement) && isSuperseded(loaded.get(statement.id)))
        .map(({ id }) => id),
    ),
    contradictions: contradictionsOf(timelineOf(known.map(withoutUpdate), context), now, current),
  };
}

/** Whether a contradiction that is over ended because the newer statement was placed. */
export function tookEffect({ statement }: Contradiction): boolean {
  return standingOf(statement.state) === 'placed';
}
