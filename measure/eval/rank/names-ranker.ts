/**
 * Ranks statements as a search does, by words and by the built-in meaning, with or without the names that they share with
 * the question and with each other; answers the messages that they cite.
 */
import { namesInQuery } from '../../../domain/entities/candidates.ts';
import { MOST_CONTRACTS, relationScores } from '../../../domain/entities/relations.ts';
import { entitiesOf } from '../../../domain/entities/resolution.ts';
import { entityScores } from '../../../domain/entities/scores.ts';
import { parseQuery } from '../../../domain/query/parse-query.ts';
import { rankingText } from '../../../domain/query/parsed-query.ts';
import { fuse, type StrategyList } from '../../../domain/ranking/fusion.ts';
import { queryWeight, sparseValue } from '../../../domain/ranking/sparse.ts';
import {
  fusionWeights,
  poolSize,
  RETRIEVAL_PROFILES,
} from '../../../domain/retrieval/strategies.ts';
import { analyze } from '../../../engine/text/analyze.ts';
import { embedDeterministic } from '../../../engine/text/embedding/deterministic.ts';
import type { CorpusConversation } from './corpus.ts';
import { namesOf } from './memory-names.ts';
import { countTexts, statementsOf } from './statements.ts';
import type { RankerOf } from './variant.ts';

/** What is fused beside words and meaning. */
export type NameStrategies = 'none' | 'entity_match' | 'relation_expand';

const WEIGHTS = Object.fromEntries(fusionWeights(RETRIEVAL_PROFILES.thorough, 'deterministic'));

function listOf(strategy: string, scores: Iterable<readonly [string, number]>): StrategyList {
  const items = Array.from(scores, ([id, score]) => ({ id, score }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, poolSize(12));
  return { strategy, items };
}

/** The statements of a conversation that are counted, with what ranks them. */
function prepare(conversation: CorpusConversation) {
  const statements = statementsOf(conversation)
    .filter(({ counts }) => counts)
    .map((statement, n) => ({
      ...statement,
      id: String(n).padStart(6, '0'),
      bag: analyze(statement.text),
      vector: embedDeterministic(statement.text),
    }));
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  const counted = countTexts(statements.map(({ text }) => text));
  return { statements, byId, ...counted, names: namesOf(statements) };
}

export function namesRanker(with_: NameStrategies): RankerOf {
  return (conversation) => {
    const { byId, frequencies, names, statements, texts } = prepare(conversation);
    const sure = ([id, score]: readonly [string, number]) =>
      [id, score * (byId.get(id)?.confidence ?? 0)] as const;

    const first = (question: string): StrategyList[] => {
      const asked = Array.from(
        analyze(question).terms,
        ([term, n]) => [term, queryWeight(n, texts, frequencies.get(term) ?? 0)] as const,
      );
      const vector = embedDeterministic(question);
      const words = statements.map(({ bag, id }) => {
        const values = asked.map(([term, weight]) => {
          const tf = bag.terms.get(term);
          return tf === undefined ? 0 : weight * sparseValue(tf, bag.length);
        });
        return [id, values.reduce((sum, value) => sum + value, 0)] as const;
      });
      const meaning = statements.map(
        ({ id, vector: own }) =>
          [id, own.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0)] as const,
      );
      return [listOf('lexical', words), listOf('semantic', meaning)];
    };

    const holding = (word: string): number =>
      Math.min(...[...analyze(word).terms.keys()].map((term) => frequencies.get(term) ?? 0));

    const byNames = (question: string): StrategyList => {
      const candidates = namesInQuery(question, rankingText(parseQuery(question)));
      const entities = entitiesOf(candidates, names.known(candidates), holding);
      return listOf('entity_match', [...entityScores(entities, texts)].map(sure));
    };

    const byRelations = (lists: readonly StrategyList[]): StrategyList => {
      const contracts = fuse(lists, WEIGHTS).slice(0, MOST_CONTRACTS);
      const shared = names.shared(contracts.map(({ id }) => id));
      const relations = { shared, updates: [], units: texts, linkedScopeIds: new Set<string>() };
      return listOf('relation_expand', [...relationScores(contracts, relations)].map(sure));
    };

    return (question) => {
      const lists = first(question);
      if (with_ !== 'none') lists.push(byNames(question));
      if (with_ === 'relation_expand') lists.push(byRelations(lists));
      return fuse(lists, WEIGHTS).map(({ id }) => byId.get(id)?.sources ?? []);
    };
  };
}
