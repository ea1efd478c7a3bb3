/** Why something leaks and why something is missed, as words without any content. */
import type { GatememCheckpoint, GatememTurn } from '../../data/gatemem.ts';
import { dayAfter, mayRead } from './mapping/may-read.ts';
import type { Mapping } from './mapping/structure.ts';
import { holds } from './patterns.ts';
import type { Score } from './score.ts';

/** What is known of an episode when a checkpoint is asked. */
export interface Told {
  readonly turns: readonly GatememTurn[];
  /** Null where the turns were sent without audiences. */
  readonly mapping: Mapping | null;
}

function ruleOf({ mapping }: Told, turn: number | undefined): string {
  const rule = turn === undefined ? undefined : mapping?.addressed[turn]?.rule;
  return rule === undefined ? 'no audience' : `rule ${rule}`;
}

/** Each way in which a checkpoint leaks, once: statement or message, whose words, and the rule that let them through. */
export function causesOfLeaks({ kind, leaks }: Score, told: Told): readonly string[] {
  const causes = leaks.map(({ item, own, ownQuestion }) => {
    const words = ownQuestion
      ? "the asker's own question"
      : own
        ? "the asker's words"
        : "others' words";
    return `${kind}: ${item.kind}, ${words}, ${ruleOf(told, item.turns[0])}`;
  });
  return [...new Set(causes)];
}

/** Of each needed value that the evidence lacks: whether the asker may read no turn with it, or it was not ranked. */
export function causesOfMisses(
  { after, asker, kind, needed }: GatememCheckpoint,
  score: Score,
  told: Told,
): readonly string[] {
  if (kind !== 'utility') return [];
  const day = dayAfter(told.turns, after);
  return needed.flatMap((pattern, place) => {
    if (score.needed[place] === true) return [];
    const turns = told.turns
      .slice(0, after)
      .flatMap(({ text }, turn) => (holds(text, pattern) ? [turn] : []));
    if (turns.length === 0) return ['missed: in no single turn'];
    const { mapping } = told;
    if (mapping === null) return ['missed: not ranked'];
    const isReadable = turns.some((turn) =>
      mayRead(mapping, told.turns, { turn, reader: asker, day }),
    );
    return isReadable ? ['missed: not ranked'] : [`missed: hidden, ${ruleOf(told, turns.at(-1))}`];
  });
}

/** How often each cause occurs, the most frequent first. */
export function counted(causes: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const cause of causes) counts.set(cause, (counts.get(cause) ?? 0) + 1);
  return new Map([...counts].toSorted((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)));
}
