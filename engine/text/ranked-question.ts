/** What is read out of a question for ranking. */
import type { QuestionCues } from '../../domain/ranking/rescore.ts';
import { asksOfOneself, asksWhen } from '../english/cues.ts';
import { analyze, contentTerms } from './analyze.ts';

/** Someone who speaks in the conversations that are searched. */
export interface KnownSpeaker {
  readonly id: string;
  readonly name: string;
}

export interface QuestionReading {
  /** Terms with their counts. */
  readonly terms: ReadonlyMap<string, number>;
  readonly cues: QuestionCues;
}

/**
 * `speakers` are those who may be named, `asker` is who asks; null where they are no speaker, or where the conversations
 * are between people, because `I` in a question about them can be anybody.
 */
export function readQuestion(
  question: string,
  speakers: readonly KnownSpeaker[],
  asker: string | null,
): QuestionReading {
  const words = new Set(contentTerms(question));
  const named = speakers.filter(({ name }) => contentTerms(name).some((word) => words.has(word)));
  return {
    terms: analyze(question).terms,
    cues: {
      person: named.length === 1 ? (named[0]?.id ?? null) : null,
      asker: asksOfOneself(question) ? asker : null,
      asksWhen: asksWhen(question),
    },
  };
}
