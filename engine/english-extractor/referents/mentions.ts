/** The things and people that words name. */
import { wordSet } from '../../../domain/text/word-set.ts';
import { loadTagger, type Word } from '../../english/tagger.ts';
import { isShortBe } from '../clause/verb.ts';
import { isNoun, isVerb } from '../clause/words.ts';
import { informativeWords } from '../vague.ts';

/** What a pronoun can stand for. */
export type ReferentKind = 'event' | 'thing' | 'people' | 'woman' | 'man' | 'place';

export interface NamedThing {
  readonly text: string;
  readonly kinds: readonly ReferentKind[];
  /** It is the subject of a description ("Pottery is a hobby"), which what describes it cannot displace. */
  readonly isDescribed: boolean;
}

const WOMEN = wordSet(
  'mother mom mum mama sister daughter wife girlfriend aunt grandmother grandma granny niece woman girl lady bride fiancée queen actress waitress widow godmother stepmother girl-friend mommy',
);
const MEN = wordSet(
  'father dad papa brother son husband boyfriend uncle grandfather grandpa nephew man boy guy gentleman groom fiancé king actor waiter widower godfather stepfather daddy',
);
const GROUPS = wordSet(
  'family fam team crew gang group couple class band staff crowd community people police',
);
const PERSONS = wordSet(
  'friend partner spouse child kid baby cousin colleague coworker boss manager neighbor neighbour teacher doctor nurse therapist coach mentor student roommate parent person client customer instructor trainer vet dentist lawyer buddy mate toddler teen infant youngest oldest eldest artist dude fella investor influencer',
);
const PETS = wordSet('dog cat puppy pup kitten kitty pet horse rabbit bird parrot hamster');
/** Nouns that no pronoun is likely to stand for. */
const PALE =
  wordSet(`time day week month year hour minute morning evening night weekend way lot bit kind sort thing things stuff part end
moment while yesterday today tomorrow tonight home place one fact reason case point couple ton bunch front back side luck fun summer winter
spring autumn fall monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
october november december age course example sense mind heart help shot try go chance idea luck deal thanks thank everyone others lots pic pics photo photos picture pictures`);
/** Nobody in particular, unless a word before says who: "trans people". */
const ANYBODY = /^(?:people|folks|guys|women|men)$/u;
const PLURAL = /^(?:children|kids|people|men|women|parents|folks)$/u;
const IN_PHRASE = new Set(['DET', 'ADJ', 'NUM', 'NOUN', 'PROPN']);
const OWNER = /^(?:my|our|his|her|their|your|'s)$/u;

function kindsOfPerson({ lemma }: Word): readonly ReferentKind[] | null {
  if (WOMEN.has(lemma)) return ['woman'];
  if (MEN.has(lemma)) return ['man'];
  if (PERSONS.has(lemma)) return ['woman', 'man', 'people'];
  return PETS.has(lemma) ? ['woman', 'man', 'thing'] : null;
}

function kindsOf(noun: Word, isPlural: boolean, before: string): readonly ReferentKind[] {
  if (isPlural || GROUPS.has(noun.lemma)) return ['people'];
  const person = kindsOfPerson(noun);
  if (person !== null) return person;
  const isName = noun.pos === 'PROPN';
  if (!/^(?:in|at|to|from|near)$/u.test(before)) {
    return isName ? ['woman', 'man', 'thing'] : before === 'on' ? ['thing', 'place'] : ['thing'];
  }
  return isName ? ['woman', 'man', 'place', 'thing'] : ['place', 'thing'];
}

const isInPhrase = (word: Word): boolean =>
  IN_PHRASE.has(word.pos) || word.text === '-' || OWNER.test(word.lower);

/** An article or an owner begins another phrase, and so does a time: "the café | last weekend". */
function beginsAnother(word: Word | undefined, { lower, pos }: Word): boolean {
  const isArticle = word?.pos !== 'DET' && /^(?:DET|PRON)$/u.test(pos);
  return isArticle || (word !== undefined && isNoun(word) && /^(?:last|next)$/u.test(lower));
}

/** Where the phrase ends that begins at `from`. */
function endOfPhrase(words: readonly Word[], from: number): number {
  let end = from;
  for (;;) {
    const [word, next] = [words[end], words[end + 1]];
    const isOver = next === undefined || beginsAnother(word, next) || !isInPhrase(next);
    if (isOver || isShortBe(words, end + 1)) return end;
    end += 1;
  }
}

/** Whether a form of "be" or "have" stands at the place or behind adverbs. */
function isDescribed(words: readonly Word[], at: number): boolean {
  const next = words.slice(at).find(({ pos }) => pos !== 'ADV');
  return /^(?:is|are|was|were|'s|'re|has|have)$/u.test(next?.lower ?? '');
}

/** Whether the noun says what is meant, alone or with what stands before it in its phrase. */
function isTelling(noun: Word, isAlone: boolean): boolean {
  if (ANYBODY.test(noun.lower)) return !isAlone;
  const isParticiple = noun.pos === 'NOUN' && noun.lower.endsWith('ed');
  const isPale = PALE.has(noun.lemma) || PALE.has(noun.lower) || isParticiple;
  return !isPale && informativeWords(noun.text) > 0;
}

/** "Flowers bring joy": a capital that only opens the sentence. */
function isCommonPlural({ lower, pos }: Word): boolean {
  const { knows } = loadTagger();
  return pos === 'PROPN' && /[^s]s$/u.test(lower) && knows(lower) && knows(lower.slice(0, -1));
}

function isPlural(noun: Word, opens: boolean): boolean {
  if (opens && isCommonPlural(noun)) return true;
  const hasEnding = noun.lower !== noun.lemma && noun.lower.endsWith('s');
  return (hasEnding && (noun.pos !== 'PROPN' || opens)) || PLURAL.test(noun.lower);
}

/** Forms that open a clause of another kind. */
const NO_ACTIVITY = /^(?:feeling|being|having|knowing|seeing|hearing|getting|looking)$/u;

/** "Kayaking sounds fun": what is done is a thing, too. */
function activityIn(words: readonly Word[]): readonly NamedThing[] {
  const [activity, verb] = words;
  if (NO_ACTIVITY.test(activity?.lower ?? '')) return [];
  const isSubject =
    verb !== undefined && isVerb(verb) && /\p{L}{3}ing$/u.test(activity?.lower ?? '');
  return activity === undefined || !isSubject
    ? []
    : [{ text: activity.lower, kinds: ['thing'], isDescribed: true }];
}

/** "My youngest". */
const isChild = ({ lower }: Word): boolean => /^(?:youngest|oldest|eldest)$/u.test(lower);

/** The things and people that the words name, each with the phrase that names it. `source` is the text of the words. */
export function mentionsOf(words: readonly Word[], source: string): readonly NamedThing[] {
  const mentions = [...activityIn(words)];
  for (let i = 0; i < words.length; i += 1) {
    const first = words[i];
    if (first === undefined || first.lower === "'s" || !isInPhrase(first)) continue;
    const end = endOfPhrase(words, i);
    const noun = words.slice(i, end + 1).findLast((word) => isNoun(word) || isChild(word));
    if (noun !== undefined && isTelling(noun, noun === first)) {
      mentions.push({
        text: source.slice(first.start, noun.end).replace(/['’]s$/u, ''),
        kinds: kindsOf(noun, isPlural(noun, i === 0), words[i - 1]?.lower ?? ''),
        isDescribed: mentions.length === 0 && isDescribed(words, end + 1),
      });
    }
    i = end;
  }
  return mentions;
}

/**
 * The one mention that fits; null when none or several do. "It" may stand for whatever the sentence tells, so the thing must
 * be what the sentence is about.
 */
export function referentOf(kind: ReferentKind, mentions: readonly NamedThing[]): string | null {
  const fitting = mentions.filter(({ kinds }) => kinds.includes(kind));
  const described = fitting.filter((mention) => mention.isDescribed);
  if (kind === 'thing' && described.length === 0) return null;
  const texts = new Set((described.length > 0 ? described : fitting).map(({ text }) => text));
  const [text] = texts;
  return texts.size === 1 ? (text ?? null) : null;
}
