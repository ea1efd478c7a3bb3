/**
 * Which statements say the same in other words. An embedder measures how alike two sentences are, and misses small
 * differences that turn the meaning: one digit, one name, one "not". So likeness alone merges nothing.
 */
import { isPastForm } from '../text/past-form.ts';
import { characters, segments, wordForms } from '../text/tokens.ts';
import { compareWords } from './source.ts';
import { isOpen, sameWindow, standingOf, type Subject, type Wording } from './statement.ts';
import type { Proposal, Statement } from './statement.ts';

/** Cosine of the embeddings of two texts; null when one of them has none. */
export type Likeness = (a: string, b: string) => number | null;

export interface ParaphraseRule {
  /** The least cosine, up to 1. */
  readonly threshold: number;
  readonly likeness: Likeness;
  /** Whether paraphrases of this text were looked for; a proposal with any other text merges with none. */
  readonly covers: (text: string) => boolean;
}

const list = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/u));

/**
 * Words that turn the meaning of the rest: negation, doubt, plan, frequency, amount, exception, order in time.
 * English, and the negations of other languages that write words apart.
 */
const TURNING = list(`
  no not never none nobody nothing nowhere neither nor without cannot cant dont doesnt didnt isnt arent wasnt werent
  wont wouldnt shouldnt couldnt hasnt havent hadnt aint hardly barely scarcely rarely seldom sometimes often usually
  always once twice almost nearly only just except unless until before after if whether maybe perhaps possibly
  probably may might could would should must can will shall want wants plan plans planning hope hopes hoping try tries
  trying intend intends stop stops start starts former formerly previously longer still yet again more less most least
  fewer all every each any some few many half other another
  nicht kein keine keinen keinem keiner nie niemals ne pas jamais non nunca jamas ningun ninguna mai nessun nao sem
  niet geen nooit ikke inte aldrig ingen ej ei nie nigdy не нет ни без никогда لا ليس لم لن नहीं मत`);
/** Negations of scripts whose words are not written apart. */
const TURNING_INSIDE = [
  '不',
  '没',
  '沒',
  '未',
  '無',
  '无',
  'ない',
  'ません',
  '없',
  '않',
  '못',
  'ไม่',
];
/** Words that only hold a sentence together: exchanging them exchanges nothing. */
const GRAMMAR = list(`
  a an the this that these those it its he she they his her their him them who whose which s is are am be been being has have
  do does to of in on at by for with from and as so also too really very quite there here`);
const CAPITALISED = /(?=\p{Lu})(?<=\p{L}[^.!?\p{L}]*\s)\p{Lu}[\p{L}\p{M}'’]*|\p{Lu}{2,}/gu;
const NUMBER = /\p{N}+(?:[.,:]\p{N}+)*/gu;

/**
 * The parts that must be equal in both texts: numbers, names inside the sentence, words that turn the meaning, and
 * English tense.
 */
function fixedParts(text: string, found: readonly string[]): string {
  const parts = [
    ...(text.match(NUMBER) ?? []),
    ...(text.match(CAPITALISED) ?? []).map((name) => name.toLowerCase()),
    ...found.filter((word) => TURNING.has(word)),
    ...TURNING_INSIDE.filter((sign) => text.includes(sign)),
    ...(found.some(isPastForm) ? ['past'] : []),
  ];
  return parts.toSorted(compareWords).join(' ');
}

/** Words; for scripts that write no words apart, characters. */
function tokens(text: string): readonly string[] {
  return segments(text).flatMap((segment) =>
    segment.kind === 'word' ? wordForms(segment.text) : characters(segment.text),
  );
}

/** How many words of `a` are not in `b`, leaving out those of grammar. */
function onlyIn(a: readonly string[], b: readonly string[]): number {
  const inB = new Set(b);
  return a.filter((word) => !inB.has(word) && !GRAMMAR.has(word)).length;
}

/** If a text has this many words for each different or missing word, the cosine no longer shows the difference. */
const DILUTED_FROM = 8;

/** Whether they differ in too little for the likeness to show it: "his mother" for "his father" in twenty words. */
function hidesDifference(a: readonly string[], b: readonly string[]): boolean {
  const different = Math.max(onlyIn(a, b), onlyIn(b, a));
  return different > 0 && Math.min(a.length, b.length) >= DILUTED_FROM * different;
}

/** Whether the attribute claims agree. If two wordings say the same, one of them may lack the claim. */
export function claimsAgree({ claim: a }: Wording, { claim: b }: Wording): boolean {
  if (a === null || b === null) return true;
  return a.about === b.about && a.value === b.value && a.mode === b.mode;
}

/** The reading of a text for a comparison. */
export interface Reading {
  /** What must be equal in both texts. */
  readonly fixedParts: string;
  readonly words: readonly string[];
  /** Its words beside those of grammar. */
  readonly meaningful: ReadonlySet<string>;
}

/** Reads a text to compare it. Linear; so is each comparison of two readings. */
export function readingOf(text: string): Reading {
  const words = tokens(text);
  const meaningful = new Set(words.filter((word) => !GRAMMAR.has(word)));
  return { fixedParts: fixedParts(text, words), words, meaningful };
}

/** Whether the likeness of two texts may decide that they say the same. Symmetric. */
export function areComparable(a: Reading, b: Reading): boolean {
  return a.fixedParts === b.fixedParts && !hidesDifference(a.words, b.words);
}

/** `areComparable`, of texts. */
export function isComparable(a: string, b: string): boolean {
  return areComparable(readingOf(a), readingOf(b));
}

/** Whether two statements share what they must before their texts are compared: subject, kind, window and claim. */
function isAboutTheSame(
  a: { readonly subject: Subject; readonly wording: Wording },
  b: { readonly subject: Subject; readonly wording: Wording },
): boolean {
  return (
    a.subject.id === b.subject.id &&
    a.subject.type === b.subject.type &&
    a.wording.kind === b.wording.kind &&
    sameWindow(a.wording, b.wording) &&
    claimsAgree(a.wording, b.wording)
  );
}

/** The cosine of two texts that say the same in other words; null when they do not. */
export function paraphrased(
  rule: Pick<ParaphraseRule, 'likeness' | 'threshold'>,
  a: string,
  b: string,
): number | null {
  const cosine = rule.likeness(a, b);
  return cosine !== null && cosine >= rule.threshold && isComparable(a, b) ? cosine : null;
}

/**
 * The paraphrase of the proposal among the statements that it may join. A placed statement comes first, then the one
 * with the highest cosine, then the first by hash.
 */
export function findParaphrase(
  rule: ParaphraseRule,
  proposal: Proposal,
  statements: readonly Statement[],
  mayJoin: (statement: Statement) => boolean,
): Statement | null {
  const { text } = proposal.wording;
  if (text === null) return null;
  const found = statements.flatMap((statement) => {
    const other = statement.wording.text;
    if (other === null || !isOpen(statement) || !isAboutTheSame(proposal, statement)) return [];
    const cosine = paraphrased(rule, text, other);
    const isPlaced = standingOf(statement.state) === 'placed';
    return cosine === null || !mayJoin(statement) ? [] : [{ statement, cosine, isPlaced }];
  });
  const [best] = found.toSorted(
    (a, b) =>
      Number(b.isPlaced) - Number(a.isPlaced) ||
      b.cosine - a.cosine ||
      compareWords(a.statement.statementHash, b.statement.statementHash),
  );
  return best?.statement ?? null;
}
