/**
 * The second half of the ranking: the best units that an index found are scored again by what it cannot know, and each
 * message gets the score of its best unit. Pure, linear in the number of candidates.
 */
import { roundScore } from './sparse.ts';
import type { PassageTraits } from './traits.ts';

/** A unit that an index found, with the fields of its payload that scoring reads. */
export interface RankedUnit extends Omit<PassageTraits, 'isWithAssistant'> {
  /** The message or statement that the unit is part of. */
  readonly sourceId: string;
  /** Dot product of the unit's vector and the query's. */
  readonly score: number;
  readonly session: string | null;
  readonly speaker: string | null;
  /** Place of the message in time; of equal scores the earlier stands first. */
  readonly order: number;
  /** Whether a person said it in a conversation with an assistant. */
  readonly isToAssistant: boolean;
}

/** What a question says about where its answer stands. */
export interface QuestionCues {
  /** The one speaker that the question names; null when it names none or several. */
  readonly person: string | null;
  /** The asker of a question about the asker: the speaker, or null for a person who speaks to the assistant. */
  readonly asker: { readonly speaker: string | null } | null;
  readonly asksWhen: boolean;
}

export interface RescoreWeights {
  /** Added to every unit of the best session, as a share of the best score; less for other sessions. */
  readonly session: number;
  /** A session says something only where there are more. */
  readonly fewestSessions: number;
  readonly person: number;
  readonly asker: number;
  readonly time: number;
  readonly shortQuestion: number;
  readonly saysSomething: number;
}

export const RESCORE_WEIGHTS: RescoreWeights = {
  session: 0.1,
  fewestSessions: 5,
  person: 1.7,
  asker: 1.8,
  time: 1.2,
  shortQuestion: 0.8,
  saysSomething: 1.1,
};

export interface RankedSource {
  readonly sourceId: string;
  readonly score: number;
  readonly order: number;
}

/** Sum of the scores of the units found of each session, divided by that of the best session: 0 to 1. */
function sessionShares(units: readonly RankedUnit[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { session, score } of units) {
    if (session !== null) sums.set(session, (sums.get(session) ?? 0) + score);
  }
  const best = Math.max(...sums.values(), Number.MIN_VALUE);
  for (const [session, sum] of sums) sums.set(session, sum / best);
  return sums;
}

/** Whether the unit is a turn of who asks. Only with an assistant: between people, `I` can be anybody. */
function isOfAsker({ isToAssistant, speaker }: RankedUnit, { asker }: QuestionCues): boolean {
  if (asker === null || !isToAssistant) return false;
  return asker.speaker === null || asker.speaker === speaker;
}

function factorOf(unit: RankedUnit, cues: QuestionCues, weights: RescoreWeights): number {
  let factor = 1;
  if (cues.person !== null && unit.speaker === cues.person) factor *= weights.person;
  if (isOfAsker(unit, cues)) factor *= weights.asker;
  if (cues.asksWhen && unit.hasTimeCue) factor *= weights.time;
  if (unit.isShortQuestion) factor *= weights.shortQuestion;
  if (unit.saysSomething) factor *= weights.saysSomething;
  return factor;
}

function byScoreThenOrder(a: RankedSource, b: RankedSource): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.order !== b.order) return a.order - b.order;
  return a.sourceId < b.sourceId ? -1 : a.sourceId > b.sourceId ? 1 : 0;
}

/** The sources of the units, best first, each once; scores are rounded to 1e-3 before and after. */
export function rescore(
  units: readonly RankedUnit[],
  cues: QuestionCues,
  weights: RescoreWeights = RESCORE_WEIGHTS,
): RankedSource[] {
  const shares = sessionShares(units);
  const isPrior = shares.size >= weights.fewestSessions;
  const best = units.reduce((most, { score }) => Math.max(most, score), 0);
  const found = new Map<string, RankedSource>();
  for (const unit of units) {
    const share = isPrior && unit.session !== null ? (shares.get(unit.session) ?? 0) : 0;
    const prior = weights.session * best * share;
    const score = roundScore((roundScore(unit.score) + prior) * factorOf(unit, cues, weights));
    const known = found.get(unit.sourceId);
    if (known === undefined || known.score < score) {
      found.set(unit.sourceId, { sourceId: unit.sourceId, score, order: unit.order });
    }
  }
  return [...found.values()].toSorted(byScoreThenOrder);
}
