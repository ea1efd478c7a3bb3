/** Whether a transcript shows that a person was asked about a statement, and answered. */
import { isEvidenceRole } from '../observations/roles.ts';
import { characters, segments, wordForms } from '../text/tokens.ts';
import type { AnswerVerdict } from './words.ts';

/** A turn after the delivery, recorded by somebody else than the one who reports the answer. */
export interface TranscriptTurn {
  readonly role: string;
  /** Whether the person who was asked said it. */
  readonly bySubject: boolean;
  /** The beginning of it. */
  readonly text: string;
}

/** How many turns after the quotation the person may answer. */
const MOST_TURNS_TO_ANSWER = 6;

/** The words in their order, and single characters of scripts without spaces: no case, no spaces, no punctuation. */
function tokensOf(text: string): readonly string[] {
  return segments(text).flatMap(({ kind, text: segment }) =>
    kind === 'word' ? wordForms(segment) : characters(segment),
  );
}

/** For each beginning of the pattern: the length of its longest proper beginning that it also ends with. */
function bordersOf(pattern: readonly string[]): number[] {
  const borders = [0];
  let length = 0;
  for (let at = 1; at < pattern.length; at += 1) {
    while (length > 0 && pattern[at] !== pattern[length]) length = borders[length - 1] ?? 0;
    if (pattern[at] === pattern[length]) length += 1;
    borders.push(length);
  }
  return borders;
}

/** Whether the text has all words of the quotation, one after the other. Linear in both. False for a text without words. */
export function quotes(text: string, quotation: string): boolean {
  const pattern = tokensOf(quotation);
  if (pattern.length === 0) return false;
  const borders = bordersOf(pattern);
  let matched = 0;
  for (const token of tokensOf(text)) {
    while (matched > 0 && token !== pattern[matched]) matched = borders[matched - 1] ?? 0;
    if (token === pattern[matched]) matched += 1;
    if (matched === pattern.length) return true;
  }
  return false;
}

/** Longer answers say more than yes or no. */
const LONGEST_PLAIN_ANSWER = 120;

/** Phrases by commas, each as the tokens of an answer. */
const phrasesOf = (list: string): readonly (readonly string[])[] => list.split(', ').map(tokensOf);

type Meaning = 'confirm' | 'reject' | 'courtesy';

/** Answers that are one word of a list, or a few. What is in none of them leaves an answer unverified, which harms nobody. */
const PHRASES: ReadonlyMap<Meaning, readonly (readonly string[])[]> = new Map([
  [
    'confirm',
    phrasesOf(
      "yes, yeah, yep, yup, sure yes, yes sure, yes of course, of course yes, yes it is, yes i do, yes i am, yes i did, correct, right, true, exactly, indeed, absolutely, that is right, that is correct, that is true, that's right, that's correct, that's true, ja, jawohl, stimmt, das stimmt, richtig, das ist richtig, genau, oui, c'est vrai, c'est exact, si, sì, sí, es verdad, è vero, sim, да, так, はい, そうです, 是, 是的, 对, 對, 네, 예, evet",
    ),
  ],
  [
    'reject',
    phrasesOf(
      "no, nope, nah, never, not, wrong, incorrect, false, not true, not right, absolutely not, no it is not, no it isn't, no i don't, no i do not, no i'm not, that is wrong, that is false, that is not right, that is not true, that is not correct, that's wrong, that's false, that's not right, that's not true, that's not correct, that isn't right, that isn't true, nein, falsch, das ist falsch, nicht richtig, stimmt nicht, das stimmt nicht, non, c'est faux, ce n'est pas vrai, não, nao, нет, не, nie, nej, nee, いいえ, 不, 不是, 不对, 不對, 否, 没, 아니요, 아니오, hayır",
    ),
  ],
  [
    'courtesy',
    phrasesOf(
      'please, thanks, thank you, many thanks, bitte, danke, danke schön, vielen dank, merci, s il vous plaît, gracias, por favor, grazie, per favore, obrigado, obrigada, спасибо, ありがとう, ありがとうございます, 谢谢, 謝謝, 감사합니다, teşekkürler',
    ),
  ],
]);

/** Longest first, so that "not true" is not read as "not" and "true". */
const BY_LENGTH = [...PHRASES]
  .flatMap(([meaning, phrases]) => phrases.map((phrase) => ({ meaning, phrase })))
  .toSorted((a, b) => b.phrase.length - a.phrase.length);

/**
 * What an answer says that is nothing but a plain yes or a plain no, with thanks or without; null for every other: one
 * that adds something ("yes, but no longer"), says both, asks back, or is about something else.
 */
export function plainAnswer(answer: string): 'confirm' | 'reject' | null {
  if (answer.length > LONGEST_PLAIN_ANSWER || /[?？¿؟]/u.test(answer)) return null;
  const tokens = tokensOf(answer);
  const said = new Set<Meaning>();
  for (let at = 0; at < tokens.length;) {
    const found = BY_LENGTH.find(({ phrase }) =>
      phrase.every((token, nth) => token === tokens[at + nth]),
    );
    if (found === undefined) return null;
    said.add(found.meaning);
    at += found.phrase.length;
  }
  if (said.has('confirm') === said.has('reject')) return null;
  return said.has('confirm') ? 'confirm' : 'reject';
}

/**
 * Whether an assistant quoted the statement and the person's first answer, within six turns, plainly says the verdict.
 * `turns` are in the order in which they were said.
 */
export function isAnswered(
  turns: readonly TranscriptTurn[],
  statement: string,
  verdict: Extract<AnswerVerdict, 'confirm' | 'reject'>,
): boolean {
  let asked: number | null = null;
  for (const [at, { bySubject, role, text }] of turns.entries()) {
    const isAnswer = bySubject && isEvidenceRole(role);
    if (isAnswer && asked !== null && at - asked <= MOST_TURNS_TO_ANSWER) {
      return plainAnswer(text) === verdict;
    }
    if (role.toLowerCase() === 'assistant' && quotes(text, statement)) asked = at;
  }
  return false;
}
