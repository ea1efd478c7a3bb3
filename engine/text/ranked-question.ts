/** What is read out of a question for ranking. */
import type { AlternativeTerm, QueryTerms } from '../../domain/ranking/query-weights.ts';
import type { QuestionCues } from '../../domain/ranking/rescore.ts';
import { words } from '../../domain/text/tokens.ts';
import { contentStem } from '../english/analysis.ts';
import { joinedStems, splitStems } from '../english/compounds.ts';
import { asksOfOneself, asksWhen } from '../english/cues.ts';
import { framesQuestion } from '../english/question-frame.ts';
import { relatedStems } from '../english/related-words.ts';
import { analyze, contentTerms } from './analyze.ts';

/** Someone who speaks in the conversations that are searched. */
export interface KnownSpeaker {
  readonly id: string;
  readonly name: string;
}

/** A word that may be two, with the stems of both; worth a look only where the word itself is rare. */
export interface PossibleCompound {
  readonly term: string;
  readonly parts: readonly [first: string, second: string];
}

export interface QuestionReading extends QueryTerms {
  /** `alternatives` without the parts of compounds, which depend on what words exist (`withCompounds`). */
  readonly compounds: readonly PossibleCompound[];
  readonly asksWhen: boolean;
  readonly asksOfOneself: boolean;
}

/** Words of a question for which related words and compounds are looked up. An ordinary question has fewer. */
const MOST_WORDS = 32;
/** Five words of an ordinary question have some fifty. */
const MOST_ALTERNATIVES = 256;
/** Speakers whose names are compared with a question; more do not speak in the messages of a page. */
const MOST_SPEAKERS = 128;
/** A word in more units than this is known as it is, and not two words in one. */
const RARE = 3;

function relatedTo(insteadOf: string): AlternativeTerm[] {
  return relatedStems(insteadOf).map(({ stem, strength }) => ({ term: stem, insteadOf, strength }));
}

function alternativesOf(question: readonly string[], terms: readonly string[]): AlternativeTerm[] {
  return [
    ...joinedStems(question).map((term) => ({ term, insteadOf: null, strength: 1 })),
    ...terms.flatMap(relatedTo),
  ].slice(0, MOST_ALTERNATIVES);
}

function compoundsOf(question: readonly string[]): PossibleCompound[] {
  return question.flatMap((word) => {
    const term = contentStem(word);
    return term === null ? [] : splitStems(word).map((parts) => ({ term, parts }));
  });
}

/** What tells whom a question names. */
type SaidTerms = Pick<QuestionReading, 'terms' | 'repaired'>;

/** Those of the speakers, of the first 128, with a word of their name among the terms of the question. */
function named(
  { repaired, terms }: SaidTerms,
  speakers: readonly KnownSpeaker[],
): readonly KnownSpeaker[] {
  const isSaid = (term: string): boolean => terms.has(term) || repaired?.has(term) === true;
  return speakers.slice(0, MOST_SPEAKERS).filter(({ name }) => contentTerms(name).some(isSaid));
}

/** What the words of a question say for ranking. Never fails: every text has a reading. */
export function readQuestion(question: string): QuestionReading {
  const { terms } = analyze(question);
  const said = words(question).slice(0, MOST_WORDS);
  const known = [...terms.keys()].slice(0, MOST_WORDS);
  return {
    terms,
    frame: new Set(known.filter(framesQuestion)),
    alternatives: alternativesOf(said, known),
    compounds: compoundsOf(said),
    asksWhen: asksWhen(question),
    asksOfOneself: asksOfOneself(question),
  };
}

/** The one speaker that a question names; null when it names none or several. Reads the first 128 names. */
export function personNamed(said: SaidTerms, speakers: readonly KnownSpeaker[]): string | null {
  const [one, another] = named(said, speakers);
  return one === undefined || another !== undefined ? null : one.id;
}

/**
 * `speakers` are the speakers that the question may name. `askerId` is the asker among them; null if the asker is no
 * speaker.
 */
export function cuesOf(
  reading: QuestionReading,
  speakers: readonly KnownSpeaker[],
  askerId: string | null,
): QuestionCues {
  return {
    person: personNamed(reading, speakers),
    asker: reading.asksOfOneself ? { speaker: askerId } : null,
    asksWhen: reading.asksWhen,
  };
}

/** Whether the parts of a word that may be two are both known. */
export function isCompound(
  { parts }: PossibleCompound,
  frequency: (term: string) => number,
): boolean {
  return parts.every((part) => frequency(part) > 0);
}

/**
 * The question with what some of its terms, which nobody has used, are meant to be: `meant` by those terms. They frame it
 * and have related words like terms of the question.
 */
export function withRepairs(
  reading: QuestionReading,
  meant: ReadonlyMap<string, string>,
): QuestionReading {
  const repaired = new Map<string, number>();
  for (const [term, stem] of meant) {
    const count = reading.terms.get(term) ?? 0;
    if (reading.terms.has(stem)) continue;
    repaired.set(stem, Math.max(count, repaired.get(stem) ?? 0));
  }
  const stems = [...repaired.keys()];
  return {
    ...reading,
    repaired,
    frame: new Set([...reading.frame, ...stems.filter(framesQuestion)]),
    alternatives: [...reading.alternatives, ...stems.flatMap(relatedTo)],
  };
}

/**
 * The terms of a query, with the parts of rare words that are two words in one. `frequency` answers in how many texts a
 * term stands; it is asked for the terms of the compounds and their parts.
 */
export function withCompounds(
  reading: QuestionReading,
  frequency: (term: string) => number,
): QueryTerms {
  const parts = reading.compounds
    .filter((compound) => frequency(compound.term) <= RARE && isCompound(compound, frequency))
    .flatMap(({ parts: both }) => both.map((term) => ({ term, insteadOf: null, strength: 1 })));
  return { ...reading, alternatives: [...reading.alternatives, ...parts] };
}
