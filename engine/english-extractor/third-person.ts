/**
 * From the first person to the third, because a statement names its subject. "I moved to Oslo" by Ada becomes "Ada
 * moved to Oslo", "my dog" "Ada's dog". Pronouns of a gender are never guessed; a reflexive becomes "themself". "We"
 * becomes the group that it means (`company.ts`). Quoted speech is the first person of another speaker and stays.
 */
import { tokensOf } from './words-and-quotes.ts';
import { agree, expandD, hasVerb, isAdverb, isBaseVerb } from './verbs.ts';

/** Subject forms whose verb is part of the word. */
const SUBJECT = /^(?<pronoun>i|we)(?:['’](?<short>m|ve|ll|d|re))?$/iu;
const ADDRESSED_SUBJECT = /^you(?:['’](?<short>re|ve|ll|d))?$/iu;
/** After these "you" is a subject, elsewhere an object. */
const SIGN_BEFORE_SUBJECT = /[,.;:!–—-]$/u;
const WORD_BEFORE_SUBJECT =
  /\b(?:and|but|so|if|when|that|because|since|what|how|as|where|while|once)$/iu;

const SHORT_VERBS: ReadonlyMap<string, string> = new Map([
  ['m', 'is'],
  ['re', 'is'],
  ['ve', 'has'],
  ['ll', 'will'],
]);
const PLURAL_SHORT_VERBS: ReadonlyMap<string, string> = new Map([
  ['re', 'are'],
  ['ve', 'have'],
  ['ll', 'will'],
]);

interface Names {
  readonly singular: string;
  readonly plural: string;
  readonly possessive: string;
}

function namesOf(speaker: string, group: string): Names {
  return { singular: speaker, plural: group, possessive: `${speaker}'s` };
}

function objectForm(word: string, names: Names): string | null {
  switch (word) {
    case 'me':
      return names.singular;
    case 'my':
    case 'mine':
    case 'our':
    case 'ours':
      return names.possessive;
    case 'us':
      return names.plural;
    case 'myself':
      return 'themself';
    case 'ourselves':
      return 'themselves';
    default:
      return null;
  }
}

function isWord(token: string | undefined): token is string {
  return token !== undefined && /^[\p{L}\p{N}]/u.test(token);
}

/** Index of the next word that is no adverb, if the words up to it stand in one clause; else -1. */
function verbAfter(tokens: readonly string[], at: number): number {
  for (let i = at + 1; i < tokens.length; i += 1) {
    const token = tokens[i];
    if (isWord(token)) {
      if (!isAdverb(token.toLowerCase())) return i;
    } else if (token !== ' ') {
      return -1;
    }
  }
  return -1;
}

/** "I color-code": the last part of a compound is inflected. */
function lastOfCompound(tokens: readonly string[], at: number): number {
  return tokens[at + 1] === '-' && isWord(tokens[at + 2]) ? at + 2 : at;
}

/** Inflects verbs coordinated with one already inflected: "likes tea and make bread". */
function agreeCoordinated(tokens: string[], at: number): void {
  for (let i = at + 1; i + 2 < tokens.length; i += 1) {
    const token = tokens[i]?.toLowerCase();
    if (token === 'to' && isBaseVerb(tokens[i + 2]?.toLowerCase() ?? '')) return;
    if (
      token !== undefined &&
      /^[,;.!]$|^(?:that|if|when|because|who|which|i|we|you|they|he|she|it)$/u.test(token)
    )
      return;
    const verb = tokens[i + 2];
    const joins = /^(?:and|or|nor)$/u.test(token ?? '') && tokens[i + 1] === ' ';
    if (joins && verb !== undefined) {
      if (isBaseVerb(verb.toLowerCase())) tokens[i + 2] = agree(verb.toLowerCase());
      return;
    }
  }
}

/** Tells whether the words before a place hold a verb; for places asked from left to right it reads each word once. */
function verbsBefore(tokens: readonly string[]): (at: number) => boolean {
  let found = false;
  let read = 0;
  return (at) => {
    if (!found && at > read) {
      // "_is" is no verb: a sign that joins words is read with the word after it.
      const from = tokens[read - 1] === '_' ? read - 1 : read;
      found = hasVerb(tokens.slice(from, at).join(''));
      read = at;
    }
    return found;
  };
}

function singularSubject(
  tokens: string[],
  at: number,
  short: string | undefined,
  name: string,
  hasVerbBefore: (at: number) => boolean,
): void {
  if (short === 'd') {
    const next = verbAfter(tokens, at);
    tokens[at] = `${name} ${expandD(tokens[next] ?? '')}`;
    return;
  }
  if (short !== undefined) {
    tokens[at] = `${name} ${SHORT_VERBS.get(short) ?? short}`;
    if (short !== 'll') agreeCoordinated(tokens, at);
    return;
  }
  const joined = tokens[at - 2]?.toLowerCase() === 'and' && !hasVerbBefore(at - 2);
  tokens[at] = name;
  if (joined) return;
  const verb = lastOfCompound(tokens, verbAfter(tokens, at));
  const form = tokens[verb];
  if (form === undefined) return;
  const agreed = agree(form);
  tokens[verb] = agreed;
  if (agreed !== form && agreed.endsWith('s')) agreeCoordinated(tokens, verb);
}

function pluralSubject(
  tokens: string[],
  at: number,
  short: string | undefined,
  names: Names,
): void {
  const verb = short === 'd' ? expandD(tokens[verbAfter(tokens, at)] ?? '') : short;
  const spelled = verb === undefined ? '' : ` ${PLURAL_SHORT_VERBS.get(verb) ?? verb}`;
  tokens[at] = `${names.plural}${spelled}`;
}

/** Whether the sentence speaks in the first person outside quotes. */
export function isFirstPerson(sentence: string): boolean {
  return tokensOf(sentence).some(
    (token) => SUBJECT.test(token) || /^(?:me|my|mine|our|ours|us|myself|ourselves)$/iu.test(token),
  );
}

/** "We all made", said of one person. */
function withoutAll(tokens: string[], at: number): void {
  if (!/^(?:all|both)$/iu.test(tokens[at + 2] ?? '')) return;
  tokens[at + 1] = '';
  tokens[at + 2] = '';
}

function told(
  tokens: string[],
  at: number,
  names: Names,
  hasVerbBefore: (at: number) => boolean,
): void {
  const subject = SUBJECT.exec(tokens[at] ?? '')?.groups;
  const short = subject?.['short']?.toLowerCase();
  const isAlone = subject?.['pronoun']?.toLowerCase() === 'i' || names.plural === names.singular;
  if (!isAlone) {
    pluralSubject(tokens, at, short, names);
    return;
  }
  withoutAll(tokens, at);
  singularSubject(tokens, at, short, names.singular, hasVerbBefore);
}

/** The sentence with every first person replaced by the speaker's name, and "we" by the group's. */
export function toThirdPerson(
  sentence: string,
  speaker: string,
  group = `${speaker} and others`,
): string {
  const names = namesOf(speaker, group);
  const tokens = tokensOf(sentence);
  const hasVerbBefore = verbsBefore([...tokens]);
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i] ?? '';
    if (SUBJECT.test(token)) told(tokens, i, names, hasVerbBefore);
    else {
      const replaced = objectForm(token.toLowerCase(), names);
      // "US" is a country, "me-time" a word of its own.
      const isTheirs = tokens[i + 2] === 'own' && names.plural !== names.singular;
      const kept = token === 'US' || tokens[i + 1] === '-';
      if (replaced !== null && !kept) tokens[i] = isTheirs && token === 'our' ? 'their' : replaced;
    }
  }
  return tokens.join('');
}

/** Whether "you" at this place is a subject. */
function isSubjectPlace(tokens: readonly string[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /^\s+$/u.test(tokens[before] ?? '')) before -= 1;
  if (before < 0) return at === 0;
  const word = tokens[before] ?? '';
  if (SIGN_BEFORE_SUBJECT.test(word)) return true;
  return before < at - 1 && WORD_BEFORE_SUBJECT.test(`${tokens[before - 1] ?? ''}${word}`);
}

/** "As you are": the form of "be" shows the subject. */
const isBeforeBe = (tokens: readonly string[], at: number): boolean =>
  /^(?:are|were)$/iu.test(tokens[at + 2] ?? '');

/** A sentence said to one person, with "you" replaced by that person's name. */
export function namingAddressee(sentence: string, addressee: string): string {
  const tokens = tokensOf(sentence);
  const hasVerbBefore = verbsBefore([...tokens]);
  for (let i = 0; i < tokens.length; i += 1) {
    const word = tokens[i]?.toLowerCase() ?? '';
    const subject = ADDRESSED_SUBJECT.exec(word);
    if (subject !== null) {
      const short = subject.groups?.['short'];
      const leads = short !== undefined || isSubjectPlace(tokens, i) || isBeforeBe(tokens, i);
      if (leads) singularSubject(tokens, i, short, addressee, hasVerbBefore);
      else tokens[i] = addressee;
    } else if (word === 'your' || word === 'yours') tokens[i] = `${addressee}'s`;
    else if (word === 'yourself') tokens[i] = 'themself';
  }
  return tokens.join('');
}
