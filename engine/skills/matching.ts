/** The statements that each requirement of a report matches. */
import type { EffectiveRequirement } from '../../domain/skills/inherit.ts';
import { MOST_COUNTED_MATCHES, type RequirementMatch } from '../../domain/skills/report.ts';
import { speaksOf } from '../../domain/skills/topics.ts';
import { matchRead, MOST_TEXTS, type ReportRead } from '../../domain/skills/walks.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { MatchRow } from '../../stores/postgres/skills/matches.store.ts';
import type { Behalf } from '../behalf.ts';
import type { TextWork } from '../offload/text-work.ts';
import { contentTerms } from '../text/analyze.ts';

/** Whether statements can be looked for by the topic: whether it has a word besides words like "the". */
export function isTopic(topic: string): boolean {
  return contentTerms(topic).length > 0;
}

const topicsOf = (one: EffectiveRequirement | undefined): readonly string[] =>
  one?.requirement.selector.topic ?? [];

/** Ids of the lists by turns, so that a long list leaves room for the others. */
function byTurns(lists: readonly (readonly MatchRow[])[], most: number): readonly string[] {
  const ids = new Set<string>();
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  for (let turn = 0; turn < longest; turn += 1) {
    for (const list of lists) {
      const row = list[turn];
      if (row !== undefined && ids.size < most) ids.add(row.id);
    }
  }
  return [...ids];
}

/** What selectors find, before topics are compared. */
export interface FoundStatements {
  /** Of each requirement, in their order: believed ones first, then the newest. */
  readonly rows: readonly (readonly MatchRow[])[];
  /** Of statements that topics are to be compared with. */
  readonly texts: readonly { readonly id: string; readonly statement: string }[];
}

/** What the selectors of the requirements find: two queries at most. */
export async function findStatements(
  { skillMatches }: Pick<Stores, 'skillMatches'>,
  read: ReportRead,
  requirements: readonly EffectiveRequirement[],
): Promise<FoundStatements> {
  if (requirements.length === 0 || read.scopeIds.length === 0) {
    return { rows: requirements.map(() => []), texts: [] };
  }
  const found = await skillMatches.find(matchRead(read, requirements));
  const byPlace = Map.groupBy(found, ({ place }) => place);
  const rows = requirements.map((_, place) => byPlace.get(place) ?? []);
  const ids = byTurns(
    rows.filter((_, place) => topicsOf(requirements[place]).length > 0),
    MOST_TEXTS,
  );
  const texts = ids.length === 0 ? [] : await skillMatches.texts(ids, read.visible);
  return { rows, texts };
}

/** The matches of each requirement, in their order. A text that cannot be analysed matches no topic. */
export async function compareTopics(
  text: Pick<TextWork, 'stems'>,
  { rows, texts }: FoundStatements,
  requirements: readonly EffectiveRequirement[],
  behalf: Behalf,
): Promise<readonly (readonly RequirementMatch[])[]> {
  const stems = await text.stems(
    texts.map(({ statement }) => statement),
    behalf,
  );
  const stemsOf = new Map(texts.map(({ id }, index) => [id, new Set(stems[index])]));
  const none: ReadonlySet<string> = new Set();
  return requirements.map((requirement, place) => {
    const topics = topicsOf(requirement).map((topic) => [...new Set(contentTerms(topic))]);
    return (rows[place] ?? [])
      .filter(({ id }) => speaksOf(stemsOf.get(id) ?? none, topics))
      .slice(0, MOST_COUNTED_MATCHES)
      .map(({ id, is_believed: isBelieved, since }) => ({ id, isBelieved, since }));
  });
}
