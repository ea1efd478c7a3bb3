/**
 * Ranks statements as a search does, by words and by the built-in meaning, with or without the names that they share with
 * the question and with each other; answers the messages that they cite.
 */
import { namesInQuery } from '../../../domain/entities/possible-names.ts';
import { MOST_CONTRACTS, relationScores } from '../../../domain/entities/relations.ts';
import { entitiesOf } from '../../../domain/entities/resolution.ts';
import { entityScores } from '../../../domain/entities/scores.ts';
import { parseQuery } from '../../../domain/query/parse-query.ts';
import { rankingText } from '../../../domain/query/parsed-query.ts';
import { fuse, type StrategyList } from '../../../domain/ranking/fusion.ts';
import { queryWeight, storedValue } from '../../../domain/ranking/sparse.ts';
import {
  fusionWeights,
  poolSize,
  RETRIEVAL_PROFILES,
} from '../../../domain/retrieval/strategies.ts';
import { analyze } from '../../../engine/text/analyze.ts';
import { embedDeterministic } from '../../../engine/text/embedding/deterministic.ts';
import { namesOf } from './memory-names.ts';
import {
  countTexts,
  statementsOf,
  type ConversationStatement,
  type TextCounts,
} from './statements.ts';
import type { RankerOf } from './variant.ts';

/** What is fused beside words and meaning. */
export type NameStrategies = 'none' | 'entity_match' | 'relation_expand';

const WEIGHTS = Object.fromEntries(fusionWeights(RETRIEVAL_PROFILES.thorough, 'deterministic'));

export function listOf(
  strategy: string,
  scores: Iterable<readonly [string, number]>,
): StrategyList {
  const items = Array.from(scores, ([id, score]) => ({ id, score }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, poolSize(12));
  return { strategy, items };
}

/** A statement that is found by names. */
export interface RankedStatement extends ConversationStatement {
  readonly id: string;
}

/** The statements, each with an id that keeps their order. */
export function withIds(statements: readonly ConversationStatement[]): RankedStatement[] {
  return statements.map((statement, n) => ({ ...statement, id: String(n).padStart(6, '0') }));
}

export interface NameLists {
  readonly byMeaning: (question: string) => StrategyList;
  readonly byNames: (question: string) => StrategyList;
  readonly byRelations: (lists: readonly StrategyList[]) => StrategyList;
}

/** What the statements share with a question and with each other, beside words. `counted` are those of all statements. */
export function nameLists(
  statements: readonly RankedStatement[],
  { frequencies, texts }: TextCounts,
): NameLists {
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  const vectors = new Map(statements.map(({ id, text }) => [id, embedDeterministic(text)]));
  const names = namesOf(statements);
  const sure = ([id, score]: readonly [string, number]) =>
    [id, score * (byId.get(id)?.confidence ?? 0)] as const;
  const holding = (word: string): number =>
    Math.min(...[...analyze(word).terms.keys()].map((term) => frequencies.get(term) ?? 0));
  return {
    byMeaning: (question) => {
      const vector = embedDeterministic(question);
      const cosine = (own: readonly number[]): number =>
        own.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
      return listOf(
        'semantic',
        Array.from(vectors, ([id, own]) => [id, cosine(own)] as const),
      );
    },
    byNames: (question) => {
      const candidates = namesInQuery(question, rankingText(parseQuery(question)));
      const entities = entitiesOf(candidates, names.known(candidates), holding);
      return listOf('entity_match', [...entityScores(entities, texts)].map(sure));
    },
    byRelations: (lists) => {
      const contracts = fuse(lists, WEIGHTS).slice(0, MOST_CONTRACTS);
      const shared = names.shared(contracts.map(({ id }) => id));
      const relations = { shared, updates: [], units: texts, linkedScopeIds: new Set<string>() };
      return listOf('relation_expand', [...relationScores(contracts, relations)].map(sure));
    },
  };
}

export function namesRanker(with_: NameStrategies): RankerOf {
  return (conversation) => {
    const statements = withIds(statementsOf(conversation).filter(({ counts }) => counts));
    const byId = new Map(statements.map((statement) => [statement.id, statement]));
    const bags = statements.map(({ id, text }) => ({ id, bag: analyze(text) }));
    const counted = countTexts(statements.map(({ text }) => text));
    const { byMeaning, byNames, byRelations } = nameLists(statements, counted);

    const byWords = (question: string): StrategyList => {
      const asked = Array.from(
        analyze(question).terms,
        ([term, n]) =>
          [term, queryWeight(n, counted.texts, counted.frequencies.get(term) ?? 0)] as const,
      );
      const words = bags.map(({ bag, id }) => {
        const values = asked.map(([term, weight]) => {
          const tf = bag.terms.get(term);
          return tf === undefined ? 0 : weight * storedValue(tf, bag.length);
        });
        return [id, values.reduce((sum, value) => sum + value, 0)] as const;
      });
      return listOf('lexical', words);
    };

    return (question) => {
      const lists = [byWords(question), byMeaning(question)];
      if (with_ !== 'none') lists.push(byNames(question));
      if (with_ === 'relation_expand') lists.push(byRelations(lists));
      return fuse(lists, WEIGHTS).map(({ id }) => byId.get(id)?.sources ?? []);
    };
  };
}
