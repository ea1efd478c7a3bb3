/**
 * What a request means without naming it: "the old Blue Cedar callback line" is the number that its speaker had said of that line.
 * It is looked for in what the requester said, and in what is said about the requester, and nowhere else.
 */
import { contentTerms } from '../text/analyze.ts';
import { sentencesOf } from '../text/sentences.ts';
import { requestsToForget } from './meant.ts';
import { namedIn } from './named-values.ts';
import { partsThatGo } from './parts-that-go.ts';

/** What is meant: the words that tell which, and the kind of its values. */
interface Described {
  /** None where the noun alone says it: "my telephone number". */
  readonly terms: readonly string[];
  readonly kind: 'phone' | 'code' | 'any';
  /** As a folded word. */
  readonly noun: string;
}

const PHONES = /^(?:numbers?|phones?|telephones?|lines?|callbacks?|mobiles?|cells?|desk)$/iu;
const CODES = /^(?:codes?|pins?|passwords?|tokens?|credentials?|keys?)$/iu;
/** Nouns that say what kind of thing is meant, and words that tell none from another. */
const SAYS_NO_MORE =
  /^(?:numbers?|phones?|telephones?|lines?|callbacks?|mobiles?|cells?|desk|codes?|pins?|passwords?|tokens?|credentials?|keys?|contacts?|details?|information|info|entry|entries|notes?|old|earlier|previous|former|exact|retired|backup|shared|all|any)$/iu;
const PHRASE =
  /\b(?:the|my|our|that|those|these|any|all) (?<phrase>(?:[\p{L}'’-]{1,30} ){0,6}?(?:numbers?|phones?|telephones?|lines?|callbacks?|mobiles?|codes?|pins?|passwords?|tokens?|credentials?|contacts?(?: (?:details|information|info|entry))?|(?:contact )?details))\b(?! (?:is|are|was)? ?["'“‘]?[\p{L}_-]{0,10}\d)/giu;

const MOST_DESCRIBED = 8;

function described(phrase: string): Described {
  const words = phrase.split(' ');
  const noun = words.at(-1) ?? '';
  const kind = PHONES.test(noun) ? 'phone' : CODES.test(noun) ? 'code' : 'any';
  const telling = words.filter((word) => !SAYS_NO_MORE.test(word)).join(' ');
  return { kind, noun: noun.toLowerCase(), terms: contentTerms(telling) };
}

/** What the requests of a message mean without naming it, in text order. */
function describedBy(content: string): readonly Described[] {
  return requestsToForget(content)
    .flatMap(([from, until]) => partsThatGo(content.slice(from, until)))
    .flatMap(({ text }) => [...text.matchAll(PHRASE)])
    .map((match) => described(match.groups?.['phrase'] ?? ''))
    .slice(0, MOST_DESCRIBED);
}

const DIGITS_OF_PHONE = 7;

function valuesIn(text: string, kind: Described['kind']): readonly string[] {
  return namedIn(text)
    .filter(({ opensDoor }) => opensDoor)
    .map(({ end, start }) => text.slice(start, end))
    .filter((value) => {
      const isPhone =
        value.replaceAll(/\D/gu, '').length >= DIGITS_OF_PHONE && !/\p{L}/u.test(value);
      return kind === 'any' || (kind === 'phone') === isPhone;
    });
}

/** Whether a text with these terms speaks of what is meant. Of two and more words one may be another. */
function speaksOf(said: ReadonlySet<string>, { terms }: Described): boolean {
  const shared = terms.filter((term) => said.has(term)).length;
  return terms.length > 0 && shared >= Math.max(1, terms.length - 1);
}

/** "My number is ...", "Ana's mobile is ...": whose it is, and what. */
const OWNED = /(?:\bmy|['’]s) (?:[\p{L}'’-]{1,20} ){0,2}(?<noun>[\p{L}-]{1,20})\b/giu;

/** The values of the sentences that call something theirs by the same noun, or by one for the same. */
function valuesOwned(text: string, { kind, noun }: Described): readonly string[] {
  return [...sentencesOf(text)].flatMap((sentence) => {
    const nouns = [...sentence.text.matchAll(OWNED)].flatMap((match) =>
      [match.groups?.['noun'] ?? '', ...match[0].split(' ')].map((word) => word.toLowerCase()),
    );
    const isIt = nouns.some((word) => word === noun || (kind === 'phone' && PHONES.test(word)));
    return isIt ? valuesIn(sentence.text, kind) : [];
  });
}

/** The values that the text says of what is meant: those of its sentences that speak of it, or else of all of it. */
function valuesSaidOf(text: string, meant: Described): readonly string[] {
  const ofSentences = [...sentencesOf(text)]
    .filter((sentence) => speaksOf(new Set(contentTerms(sentence.text)), meant))
    .flatMap((sentence) => valuesIn(sentence.text, meant.kind));
  return ofSentences.length > 0 ? ofSentences : valuesIn(text, meant.kind);
}

/** A longer text says many things. */
const LONGEST_LOOKED_AT = 2_000;
/** Texts with a digit or an address that are looked at. */
const MOST_LOOKED_AT = 200;
const MAY_HOLD_A_VALUE = /[\p{Nd}@]/u;

/** Values that one description may mean; of more it is not known which. */
const MOST_VALUES_OF_A_DESCRIPTION = 4;

/**
 * The values that the requests of a message mean without naming them, as they stand in what the requester said, or what is said
 * about the requester, the newest first: of each description none, or up to four.
 */
export function valuesDescribed(content: string, texts: readonly string[]): readonly string[] {
  const meant = describedBy(content);
  if (meant.length === 0) return [];
  const looked = texts
    .filter((text) => text.length <= LONGEST_LOOKED_AT && MAY_HOLD_A_VALUE.test(text))
    .slice(0, MOST_LOOKED_AT)
    .map((text) => ({ text, terms: new Set(contentTerms(text)) }));
  return meant.flatMap((one) => {
    if (one.terms.length === 0) {
      const owned = new Set(looked.flatMap(({ text }) => valuesOwned(text, one)));
      // Of two numbers it is not known which.
      return one.kind !== 'any' && owned.size === 1 ? [...owned] : [];
    }
    const speaking = looked.filter(({ terms }) => speaksOf(terms, one));
    const values = new Set(speaking.flatMap(({ text }) => valuesSaidOf(text, one)));
    return values.size > MOST_VALUES_OF_A_DESCRIPTION ? [] : [...values];
  });
}
