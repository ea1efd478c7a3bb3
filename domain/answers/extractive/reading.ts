/**
 * What the answerer reads out of a question and the evidence: the terms that are asked for and what they weigh, who is
 * asked about, and what each statement covers. Linear in the length of the texts, of which a bounded part is read.
 */
import { segments, wordForms, words } from '../../text/tokens.ts';
import { askedAbout, isRun, type AskedAbout } from './people.ts';
import type { ExtractiveEvidence } from './types.ts';
import { READING, type ReadingWeights } from './weights.ts';
import type { RelatedTerm, TextReader } from './words.ts';

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
  /** The weighted share of the question's terms that it has, 0 to 1. */
  readonly coverage: number;
  /** Whether it may say when something was. */
  readonly namesTime: boolean;
}

export interface EvidenceReading {
  readonly evidence: readonly ReadEvidence[];
  readonly asksWhen: boolean;
  /** The question names somebody or something that no statement names. */
  readonly hasUnknownName: boolean;
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
function askedTerms(
  question: string,
  names: ReadonlySet<string>,
  { termsOf }: TextReader,
): string[] {
  const runs = [...names].filter(isRun);
  const rest = segments(question)
    .filter(({ kind, text }) => kind !== 'word' || !wordForms(text).some((form) => names.has(form)))
    .map(({ kind, text }) =>
      kind === 'word' ? text : runs.reduce((left, run) => left.replaceAll(run, ' '), text),
    );
  return [...new Set(termsOf(rest.join(' ')))].slice(0, MOST_QUESTION_TERMS);
}

function weightOf(
  term: string,
  holding: number,
  { framesQuestion }: TextReader,
  { frame, least, most, perLetter, statements }: ReadingWeights,
): number {
  const held = Math.min(holding, statements);
  const rarity = Math.sqrt(Math.log1p((statements - held + 0.5) / (held + 0.5)));
  const length = Math.min(most, least + perLetter * term.length);
  return (framesQuestion(term) ? frame : 1) * length * rarity;
}

/** A statement about nobody is about those whom it mentions, and else about who said it. */
function relevanceOf(
  { item, words: held }: Texts,
  { people, words: names }: AskedAbout,
): Relevance {
  if (people.size === 0) return 'asked';
  if (item.about !== null) return people.has(item.about) ? 'asked' : 'other';
  const runs = [...names].filter(isRun);
  const isMentioned =
    [...names].some((name) => held.has(name)) ||
    (runs.length > 0 && [...held].some((word) => runs.some((run) => word.includes(run))));
  if (isMentioned) return 'asked';
  if (item.spokenBy === null) return 'unknown';
  return people.has(item.spokenBy) ? 'asked' : 'other';
}

interface Texts {
  readonly item: ExtractiveEvidence;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  /** As they are spelt, folded. */
  readonly words: ReadonlySet<string>;
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
    return {
      item,
      text,
      terms: new Set([...termsOf(text), ...days.flatMap(dayTerms)]),
      words: new Set(words(text)),
    };
  });
}

/** What is looked for in the evidence. */
interface Asked {
  readonly about: AskedAbout;
  readonly terms: readonly {
    readonly term: string;
    readonly weight: number;
    readonly related: readonly RelatedTerm[];
  }[];
  readonly time: Window | null;
}

/** The weighted share of the terms that a text holds. A question of names alone is covered by what is about them. */
function coverageOf(
  held: ReadonlySet<string>,
  { about, terms }: Asked,
  relevance: Relevance,
  by: ReadingWeights,
): number {
  const total = terms.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0) return about.people.size > 0 && relevance === 'asked' ? 1 : 0;
  const covered = terms.reduce((sum, { related, term, weight }) => {
    if (held.has(term)) return sum + weight;
    const strengths = related.filter(({ stem }) => held.has(stem)).map(({ strength }) => strength);
    return sum + weight * by.related * Math.max(0, ...strengths);
  }, 0);
  return covered / total;
}

function readItem(
  texts: Texts,
  asked: Asked,
  reader: TextReader,
  by: ReadingWeights,
): ReadEvidence {
  const { item, terms, text } = texts;
  const { about, time } = asked;
  const relevance = relevanceOf(texts, about);
  const isApart = time !== null && item.validity !== null && areApart(item.validity, time);
  return {
    item,
    relevance,
    coverage: (isApart ? by.otherTime : 1) * coverageOf(terms, asked, relevance, by),
    namesTime: item.validity !== null || reader.hasTimeCue(text),
  };
}

/** Reads a question and its evidence. Of items with one id the first is read. */
export function readEvidence(
  { evidence, question: whole, referenceTime }: ExtractiveInput,
  reader: TextReader,
  by: ReadingWeights = READING,
): EvidenceReading {
  const question = whole.slice(0, MOST_QUESTION_CHARS);
  const texts = readTexts(evidence, reader);
  const names = texts.flatMap(({ item }) =>
    [item.about, item.spokenBy].filter((name) => name !== null),
  );
  const about = askedAbout(names, question);
  const asked: Asked = {
    about,
    terms: askedTerms(question, about.words, reader).map((term) => {
      const holding = texts.filter(({ terms }) => terms.has(term)).length;
      return { term, weight: weightOf(term, holding, reader, by), related: reader.relatedTo(term) };
    }),
    time: reader.timeAsked(question, referenceTime),
  };
  const ofNames = new Set(names.flatMap(words));
  const isKnown = (name: string): boolean =>
    ofNames.has(name) ||
    texts.some((text) => text.words.has(name)) ||
    reader.termsOf(name).some((term) => texts.some(({ terms }) => terms.has(term)));
  return {
    evidence: texts.map((text) => readItem(text, asked, reader, by)),
    asksWhen: reader.asksWhen(question),
    hasUnknownName: reader.namesIn(question).some((name) => !isKnown(name)),
  };
}
