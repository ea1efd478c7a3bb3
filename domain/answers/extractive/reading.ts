/**
 * What the answerer reads out of a question and the evidence: the terms that are asked for and what they weigh, who is
 * asked about, and what each statement covers. Linear in the length of the texts, of which a bounded part is read.
 */
import { foldText } from '../../text/fold.ts';
import { segments, wordForms } from '../../text/tokens.ts';
import type { ExtractiveEvidence } from './types.ts';
import { OTHER_TIME_SHARE, TERM_WEIGHTS } from './weights.ts';
import type { TextReader } from './words.ts';

/** Items of evidence that are read. */
export const MOST_EVIDENCE = 50;
/** Characters of the evidence that are read, each item having the same share of them: some twenty milliseconds at worst. */
export const MOST_EVIDENCE_CHARS = 32_000;
/** Characters of a question that are read. */
export const MOST_QUESTION_CHARS = 4_096;
/** Terms of a question that are looked for. */
export const MOST_QUESTION_TERMS = 64;

export interface ExtractiveInput {
  readonly question: string;
  /** ISO 8601: the instant as of which is asked. */
  readonly referenceTime: string;
  /** In any order: the scores order it. */
  readonly evidence: readonly ExtractiveEvidence[];
}

/** Whom a statement is about, seen from the question. */
export type Relevance = 'asked' | 'other' | 'unknown';

export interface ReadEvidence {
  readonly item: ExtractiveEvidence;
  readonly relevance: Relevance;
  /** How far each term of the question is covered, 0 to 1. */
  readonly covered: readonly number[];
  /** The weighted mean of these, 0 to 1. */
  readonly coverage: number;
  /** Whether it may say when something was. */
  readonly namesTime: boolean;
}

export interface EvidenceReading {
  /** What each term of the question weighs; the names of the people asked about are not among them. */
  readonly weights: readonly number[];
  readonly evidence: readonly ReadEvidence[];
  readonly asksWhen: boolean;
  /** The question names somebody or something that no statement names. */
  readonly hasUnknownName: boolean;
}

/** The words and runs of a name that tell people apart. */
function partsOf(name: string, { termsOf }: TextReader): readonly string[] {
  return segments(name)
    .flatMap(({ kind, text }) => (kind === 'word' ? wordForms(text) : [text]))
    .filter((part) => termsOf(part).length > 0);
}

/** Whether a part of a name is of a script without spaces, and so may stand inside a run of the question. */
function isRun(part: string): boolean {
  return segments(part).some(({ kind }) => kind !== 'word');
}

/** Says of a name how many of its words a question says. */
function saidIn(question: string, reader: TextReader): (name: string) => readonly string[] {
  const said = new Set(segments(question).flatMap(({ text }) => [text, ...wordForms(text)]));
  const folded = foldText(question);
  return (name) =>
    partsOf(name, reader).filter(
      (part) => said.has(part) || (isRun(part) && folded.includes(part)),
    );
}

interface AskedAbout {
  readonly people: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/**
 * The people whom the question names, of those whom the evidence knows. Of two with a word in common the one of whose
 * name more is said is meant: `Anna Smith`, and not `Anna Jones`.
 */
function askedAbout(
  names: readonly string[],
  said: (name: string) => readonly string[],
): AskedAbout {
  const named = [...new Set(names)]
    .map((name) => ({ name, words: said(name) }))
    .filter(({ words }) => words.length > 0);
  const most = new Map<string, number>();
  for (const { words } of named) {
    for (const word of words) most.set(word, Math.max(most.get(word) ?? 0, words.length));
  }
  const meant = named.filter(({ words }) =>
    words.some((word) => words.length >= (most.get(word) ?? 0)),
  );
  return {
    people: new Set(meant.map(({ name }) => name)),
    words: new Set(meant.flatMap(({ words }) => words)),
  };
}

type Window = NonNullable<ExtractiveEvidence['validity']>;

function endsBefore({ until }: Window, { from }: Window): boolean {
  return until !== null && from !== null && Date.parse(until) <= Date.parse(from);
}

/** Whether two half-open windows have no instant in common; an end that is not known leaves a window open. */
function areApart(a: Window, b: Window): boolean {
  return endsBefore(a, b) || endsBefore(b, a);
}

/** Distinct terms of the question in order, without the names of those asked about. */
function askedTerms(question: string, names: ReadonlySet<string>, reader: TextReader): string[] {
  const ofNames = new Set([...names].flatMap(reader.termsOf));
  return [...new Set(reader.termsOf(question))]
    .filter((term) => !ofNames.has(term))
    .slice(0, MOST_QUESTION_TERMS);
}

function weightOf(term: string, holding: number, { framesQuestion }: TextReader): number {
  const { frame, least, most, perLetter, statements } = TERM_WEIGHTS;
  const held = Math.min(holding, statements);
  const rarity = Math.sqrt(Math.log1p((statements - held + 0.5) / (held + 0.5)));
  return (
    (framesQuestion(term) ? frame : 1) * Math.min(most, least + perLetter * term.length) * rarity
  );
}

function relevanceOf(
  { about, spokenBy }: ExtractiveEvidence,
  isMentioned: boolean,
  { people }: AskedAbout,
): Relevance {
  if (people.size === 0) return 'asked';
  const person = about ?? (isMentioned ? null : spokenBy);
  if (person === null) return isMentioned ? 'asked' : 'unknown';
  return people.has(person) ? 'asked' : 'other';
}

interface Texts {
  readonly item: ExtractiveEvidence;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

function readTexts(
  evidence: readonly ExtractiveEvidence[],
  { dayTerms, termsOf }: TextReader,
): Texts[] {
  const items = [...new Map(evidence.toReversed().map((item) => [item.id, item])).values()]
    .toReversed()
    .slice(0, MOST_EVIDENCE);
  const most = Math.floor(MOST_EVIDENCE_CHARS / Math.max(1, items.length));
  return items.map((item) => {
    const text = item.text.slice(0, most);
    const days = [item.saidAt, item.validity?.from ?? null].filter((day) => day !== null);
    return { item, text, terms: new Set([...termsOf(text), ...days.flatMap(dayTerms)]) };
  });
}

/** Reads a question and its evidence. Of items with one id the first is read. */
export function readEvidence(asked: ExtractiveInput, reader: TextReader): EvidenceReading {
  const question = asked.question.slice(0, MOST_QUESTION_CHARS);
  const texts = readTexts(asked.evidence, reader);
  const names = texts.flatMap(({ item }) =>
    [item.about, item.spokenBy].filter((one) => one !== null),
  );
  const about = askedAbout(names, saidIn(question, reader));
  const terms = askedTerms(question, about.words, reader);
  const weights = terms.map((term) =>
    weightOf(term, texts.filter((text) => text.terms.has(term)).length, reader),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const related = terms.map(reader.relatedTo);
  const time = reader.timeAsked(question, asked.referenceTime);
  const nameTerms = [...about.words].flatMap(reader.termsOf);
  const evidence = texts.map(({ item, terms: held, text }): ReadEvidence => {
    const isApart = time !== null && item.validity !== null && areApart(item.validity, time);
    const share = isApart ? OTHER_TIME_SHARE : 1;
    const covered = terms.map((term, at) => {
      if (held.has(term)) return share;
      const others = (related[at] ?? []).filter(({ stem }) => held.has(stem));
      return share * TERM_WEIGHTS.related * Math.max(0, ...others.map(({ strength }) => strength));
    });
    const sum = covered.reduce((all, part, at) => all + part * (weights[at] ?? 0), 0);
    return {
      item,
      relevance: relevanceOf(
        item,
        nameTerms.some((term) => held.has(term)),
        about,
      ),
      covered,
      coverage: total === 0 ? 0 : sum / total,
      namesTime: item.validity !== null || reader.hasTimeCue(text),
    };
  });
  const known = new Set([
    ...texts.flatMap((text) => [...text.terms]),
    ...names.flatMap(reader.termsOf),
  ]);
  const isUnknown = (name: string): boolean => {
    const own = reader.termsOf(name);
    return own.length > 0 && !own.some((term) => known.has(term));
  };
  return {
    weights,
    evidence,
    asksWhen: reader.asksWhen(question),
    hasUnknownName: reader.namesIn(question).some(isUnknown),
  };
}
