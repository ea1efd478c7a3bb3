/** The entities of a query, among statements in memory. */
import { namesInQuery } from '../../domain/entities/possible-names.ts';
import { entitiesOf, type QueryEntity } from '../../domain/entities/resolution.ts';
import { parseQuery } from '../../domain/query/parse-query.ts';
import { rankingText } from '../../domain/query/parsed-query.ts';
import { words } from '../../domain/text/tokens.ts';
import { namesOf, type NamedStatement } from '../../measure/eval/rank/memory-names.ts';

export type { NamedStatement };

/** The entities of a query, among statements of one or more scopes. */
export function entitiesAmong(
  statements: readonly NamedStatement[],
  query: string,
): readonly QueryEntity[] {
  const candidates = namesInQuery(query, rankingText(parseQuery(query)));
  const holding = (word: string): number =>
    statements.filter(({ text }) => words(text).includes(word)).length;
  return entitiesOf(candidates, namesOf(statements).known(candidates), holding);
}

/** The names of the entities, as the tests compare them. */
export function aliasesOf(entities: readonly QueryEntity[]): string[][] {
  return entities.map(({ names }) => [...new Set(names.map(({ alias }) => alias))].toSorted());
}
