/** The statements that each requirement of a report matches. */
import type { EffectiveRequirement } from '../../domain/skills/inherit.ts';
import { MOST_COUNTED_MATCHES, type Match } from '../../domain/skills/report.ts';
import { speaksOf } from '../../domain/skills/topics.ts';
import { matchRead, MOST_TEXTS, type ReportRead } from '../../domain/skills/walks.ts';
import type { InAccount } from '../../stores/postgres/in-account.ts';
import type { MatchRow } from '../../stores/postgres/skills/matches.store.ts';
import type { TextWork } from '../offload/text-work.ts';
import { contentTerms } from '../text/analyze.ts';

export interface MatchingDependencies {
  readonly inAccount: InAccount;
  readonly text: Pick<TextWork, 'stems'>;
}

/** Whether statements can be looked for by the topic: whether it has a word besides words like "the". */
export function isTopic(topic: string): boolean {
  return contentTerms(topic).length > 0;
}

interface Found {
  /** By the place of the requirement. */
  readonly rows: readonly (readonly MatchRow[])[];
  readonly texts: readonly { readonly id: string; readonly statement: string }[];
}

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

async function find(
  { inAccount }: MatchingDependencies,
  accountId: string,
  read: ReportRead,
  requirements: readonly EffectiveRequirement[],
): Promise<Found> {
  return inAccount(
    accountId,
    async ({ skillMatches }) => {
      const found = await skillMatches.find(matchRead(read, requirements));
      const rows = requirements.map((_, place) => found.filter((row) => row.place === place));
      const ofTopics = rows.filter((_, place) => topicsOf(requirements[place]).length > 0);
      const ids = byTurns(ofTopics, MOST_TEXTS);
      return {
        rows,
        texts: ids.length === 0 ? [] : await skillMatches.texts(ids, read.visible),
      };
    },
    { readOnly: true },
  );
}

const topicsOf = (one: EffectiveRequirement | undefined): readonly string[] =>
  one?.requirement.selector.topic ?? [];

/**
 * The matches of each requirement, in their order: believed ones first, then the newest. Two queries, and the analysis
 * of the texts where a topic is asked for. A text that cannot be analysed matches no topic.
 */
export async function findMatches(
  dependencies: MatchingDependencies,
  accountId: string,
  read: ReportRead,
  requirements: readonly EffectiveRequirement[],
): Promise<readonly (readonly Match[])[]> {
  if (requirements.length === 0 || read.scopeIds.length === 0) return requirements.map(() => []);
  const { rows, texts } = await find(dependencies, accountId, read, requirements);
  const stems = await dependencies.text.stems(texts.map(({ statement }) => statement));
  const stemsOf = new Map(texts.map(({ id }, index) => [id, new Set(stems[index])]));
  return requirements.map((requirement, place) => {
    const topics = topicsOf(requirement).map((topic) => [...new Set(contentTerms(topic))]);
    const none: ReadonlySet<string> = new Set();
    return (rows[place] ?? [])
      .filter(({ id }) => speaksOf(stemsOf.get(id) ?? none, topics))
      .slice(0, MOST_COUNTED_MATCHES)
      .map(({ id, is_believed: isBelieved, since }) => ({ id, isBelieved, since }));
  });
}
