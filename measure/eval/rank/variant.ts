/** A variant of the ranking, with the settings that it may take, and its figures on conversations. */
import type { CorpusConversation } from './corpus.ts';
import { ranker } from './memory-index.ts';
import { figuresOf, meanOf, MRR, R10, type Figures, type Place } from './metrics.ts';
import { prepare, type Prepared } from './prepared.ts';
import type { Recipe } from './shapes.ts';

/** Ranks the messages of a conversation for a question, best first. */
export type RankerOf = (conversation: CorpusConversation) => (question: string) => readonly Place[];

export interface Variant {
  readonly name: string;
  readonly about: string;
  /** The grid: more than one setting is chosen on other conversations than the one that is scored. */
  readonly settings: readonly RankerOf[];
}

/** Figures of each question of a conversation. */
export interface ScoredConversation {
  readonly conversation: CorpusConversation;
  readonly figures: readonly Figures[];
}

const prepared = new Map<CorpusConversation, Map<number, Prepared>>();

/** The conversation cut into passages of at most `passageTerms` terms; made once. */
function preparedOnce(conversation: CorpusConversation, passageTerms: number): Prepared {
  const known = prepared.get(conversation) ?? new Map<number, Prepared>();
  const made = known.get(passageTerms) ?? prepare(conversation, passageTerms);
  prepared.set(conversation, known.set(passageTerms, made));
  return made;
}

export function recipeRanker(recipe: Recipe): RankerOf {
  return (conversation) => ranker(preparedOnce(conversation, recipe.passageTerms), recipe);
}

function score(conversation: CorpusConversation, rankerOf: RankerOf): ScoredConversation {
  const rank = rankerOf(conversation);
  const figures = conversation.questions.map(({ text, gold }) => figuresOf(rank(text), gold));
  return { conversation, figures };
}

/** What a setting is chosen by: recall at ten and reciprocal rank; each set counts alike, however many questions it has. */
function worthOf(sets: readonly (readonly ScoredConversation[])[]): number {
  const worths = sets
    .filter((scored) => scored.length > 0)
    .map((scored) => {
      const mean = meanOf(scored.flatMap(({ figures }) => figures));
      return (mean[R10] ?? 0) + (mean[MRR] ?? 0);
    });
  return worths.reduce((sum, worth) => sum + worth, 0) / Math.max(1, worths.length);
}

/** The index of the setting that is best on the sets; the first of equal ones. */
function bestOn(settings: readonly (readonly (readonly ScoredConversation[])[])[]): number {
  const worths = settings.map(worthOf);
  return worths.indexOf(Math.max(...worths));
}

/** The variant on two or more sets of conversations, each scored with the setting that is best on all the others. */
export function scoreLeavingOneOut(
  variant: Variant,
  sets: readonly (readonly CorpusConversation[])[],
): ScoredConversation[][] {
  const all = variant.settings.map((setting) =>
    sets.map((set) => set.map((conversation) => score(conversation, setting))),
  );
  return sets.map((set, at) =>
    set.flatMap((left, place) => {
      const others = all.map((scored) =>
        scored.map((one) => one.filter(({ conversation }) => conversation !== left)),
      );
      return all[bestOn(others)]?.[at]?.[place] ?? [];
    }),
  );
}

/** The variant on conversations that its setting was not chosen by: the one that is best on all of `chosenBy`. */
export function scoreElsewhere(
  variant: Variant,
  chosenBy: readonly (readonly CorpusConversation[])[],
  conversations: readonly CorpusConversation[],
): ScoredConversation[] {
  const first = variant.settings[0];
  const setting =
    variant.settings.length < 2
      ? first
      : variant.settings[
          bestOn(
            variant.settings.map((one) =>
              chosenBy.map((set) => set.map((conversation) => score(conversation, one))),
            ),
          )
        ];
  if (setting === undefined) throw new RangeError(`${variant.name} has no settings`);
  return conversations.map((conversation) => score(conversation, setting));
}
