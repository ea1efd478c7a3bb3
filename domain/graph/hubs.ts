/**
 * The names that hold a picture of statements together, worked out from the texts that its reader sees and from nothing
 * else: neither a name nor its being unique can tell of a statement that is hidden.
 */
import { leadOfAlias, wordsOfAlias } from '../entities/alias.ts';
import { mentionsOf, readNames } from '../entities/mentions.ts';

/** Names that a picture shows. */
export const MOST_HUBS = 12;
/** Code units at the beginning of a statement that are read for names. */
export const MOST_CHARS_OF_NAMES = 512;

/** A statement with the names that its text surely has, or may have. */
export interface NamedStatement {
  readonly id: string;
  readonly names: readonly {
    readonly alias: string;
    readonly isSure: boolean;
    /** As the text spells it. */
    readonly label: string;
  }[];
}

export interface Hub {
  readonly alias: string;
  readonly label: string;
  /** The statements that mention it, two or more, in the order of the list. */
  readonly statementIds: readonly string[];
}

/** The name as the text spells it; folded where the text cannot be searched for it. */
function labelIn(text: string, alias: string): string {
  const lower = text.toLowerCase();
  const at = lower.indexOf(alias);
  return at === -1 || lower.length !== text.length ? alias : text.slice(at, at + alias.length);
}

/** Reads the text of a statement for names; `subjectName` is of the person that it is about. */
export function namesOf(id: string, text: string, subjectName: string | null): NamedStatement {
  const part = text.slice(0, MOST_CHARS_OF_NAMES);
  const subject = subjectName === null ? null : { key: subjectName, name: subjectName };
  const names = mentionsOf(readNames(part), subject).map(({ alias, isSure }) => ({
    alias,
    isSure,
    label: labelIn(part, alias),
  }));
  return { id, names };
}

/** For a single name the longer one that it stands for, itself where there is none, null where there are several. */
function meant(alias: string, longer: ReadonlyMap<string, readonly string[]>): string | null {
  if (leadOfAlias(alias) !== alias) return alias;
  const names = longer.get(alias) ?? [];
  if (names.length > 1) return null;
  return names[0] ?? alias;
}

/** The names that most of the statements share, those of most statements first; a name of two meanings is none. */
export function hubsOf(statements: readonly NamedStatement[]): readonly Hub[] {
  const sure = new Set(
    statements.flatMap(({ names }) =>
      names.filter(({ isSure }) => isSure).map(({ alias }) => alias),
    ),
  );
  const longer = new Map<string, string[]>();
  for (const alias of sure) {
    const words = wordsOfAlias(alias);
    if (words.length === 1) continue;
    for (const word of words) longer.set(word, [...(longer.get(word) ?? []), alias]);
  }
  const hubs = new Map<string, { label: string; ids: Set<string> }>();
  for (const { id, names } of statements) {
    for (const { alias, label } of names) {
      const name = sure.has(alias) ? meant(alias, longer) : null;
      if (name === null) continue;
      const hub = hubs.get(name) ?? { label: name, ids: new Set<string>() };
      if (name === alias && hub.label === name) hub.label = label;
      hubs.set(name, { label: hub.label, ids: hub.ids.add(id) });
    }
  }
  return [...hubs]
    .filter(([, { ids }]) => ids.size > 1)
    .toSorted(([a, x], [b, y]) => y.ids.size - x.ids.size || (a < b ? -1 : 1))
    .slice(0, MOST_HUBS)
    .map(([alias, { ids, label }]) => ({ alias, label, statementIds: [...ids] }));
}
