/** What an answerer is offered: the first statements of a search, found as the service finds them, without a service. */
import type { ExtractiveEvidence } from '../../../domain/answers/extractive/types.ts';
import { fuse } from '../../../domain/ranking/fusion.ts';
import { fusionWeights, RETRIEVAL_PROFILES } from '../../../domain/retrieval/strategies.ts';
import type { CorpusConversation } from '../rank/corpus.ts';
import { listOf, nameLists, withIds } from '../rank/names-ranker.ts';
import { RANKER } from '../rank/recipe.ts';
import { recipeRanker } from '../rank/variant.ts';
import { statementHits } from '../rank/statement-ranker.ts';
import { countTexts, statementsOf } from '../rank/statements.ts';

/** A statement with the messages that it cites. */
export interface Offered extends ExtractiveEvidence {
  readonly sources: readonly string[];
}

/** As `SERVICE_ANSWER_CONTEXT_LIMIT` is by default. */
export const CONTEXT_LIMIT = 12;

/** Profiles that the bench can imitate; `thorough` is what `ask` takes. */
export const OFFERED_PROFILES = ['thorough', 'balanced'] as const;
export type OfferedProfile = (typeof OFFERED_PROFILES)[number];

/** Answers the first statements for a question, best first; of those that cite none of the messages `without`. */
export type Offer = (question: string, without?: ReadonlySet<string>) => readonly Offered[];

const NONE: ReadonlySet<string> = new Set();

/** What a search by the profile offers: the first `limit` statements. */
export function offeredBy(
  conversation: CorpusConversation,
  profile: OfferedProfile,
  limit: number = CONTEXT_LIMIT,
): Offer {
  const statements = withIds(statementsOf(conversation));
  const byId = new Map(statements.map((statement) => [statement.id, statement]));
  const messages = new Map(conversation.messages.map((message) => [message.id, message]));
  const rank = statementHits(conversation, RANKER, statements);
  const names = nameLists(statements, countTexts(statements.map(({ text }) => text)));
  const weights = Object.fromEntries(fusionWeights(RETRIEVAL_PROFILES[profile], 'deterministic'));
  const offered = (id: string, score: number): Offered[] => {
    const statement = byId.get(id);
    if (statement === undefined) return [];
    const { from, sources, subject, text, until } = statement;
    const source = messages.get(sources.at(-1) ?? '');
    return [
      {
        id,
        text,
        about: subject?.name ?? null,
        spokenBy: source?.speaker ?? null,
        validity: from === null && until === null ? null : { from, until },
        saidAt: source === undefined ? null : new Date(source.at).toISOString(),
        score,
        disagreesWith: [],
        level: 'direct',
        isProvisional: false,
        sources,
      },
    ];
  };
  return (question, without = NONE) => {
    const words = rank(question).map(
      ({ score, statement }) => [statements[statement]?.id ?? '', score] as const,
    );
    const lists = [listOf('lexical', words), names.byMeaning(question), names.byNames(question)];
    if (profile === 'thorough') lists.push(names.byRelations(lists));
    return fuse(lists, weights)
      .filter(({ id }) => byId.get(id)?.sources.some((source) => without.has(source)) === false)
      .slice(0, limit)
      .flatMap(({ id, score }) => offered(id, score));
  };
}

/** Passages of a text in the order of the ranking of messages, as evidence: about nobody, and said by nobody. */
export function passagesOffered(conversation: CorpusConversation): Offer {
  const rank = recipeRanker(RANKER)(conversation);
  const texts = new Map(conversation.messages.map(({ content, id }) => [id, content]));
  return (question, without = NONE) =>
    rank(question)
      .flat()
      .filter((id) => !without.has(id))
      .slice(0, CONTEXT_LIMIT)
      .map((id, place) => ({
        id,
        text: texts.get(id) ?? '',
        about: null,
        spokenBy: null,
        validity: null,
        saidAt: null,
        score: 1 / (1 + place),
        disagreesWith: [],
        level: 'direct',
        isProvisional: false,
        sources: [id],
      }));
}
