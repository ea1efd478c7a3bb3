/**
 * Whether a short sentence in Latin letters gives sign of being English. English pronouns and verb endings must not be put
 * into sentences of other languages, whose words may look like English ones: "Mam psa i kota" has no "I".
 */
import { segments } from '../../domain/text/tokens.ts';
import { isPastForm } from '../../domain/text/past-form.ts';
import { wordSet } from '../../domain/text/word-set.ts';
import { isFunctionWord } from '../english/function-words.ts';
import { isBaseVerb } from './verbs.ts';

/** Words of no other language in Latin letters, or of hardly any. */
const CERTAIN =
  wordSet(`the and with my this that these those they them their you your yours i'm i've i'll i'd it's don't doesn't didn't isn't wasn't can't
couldn't won't wouldn't haven't hasn't been being would could should because from which while when where who what how about after before
since until let's there just really very much many our ours us she his him he's she's we're we've they're you're gonna gotta wanna also again
every some any into than then though through without yesterday today tomorrow last next helps makes brings keeps gives works working looking
trying getting going doing having feeling things family friend friends kids people love loves life year years month months days always
never here more most such thanks great nice new good try instead keep make takes lost found moved bought went took got made`);
/** Words that other languages have, too; two of them are a sign. */
const LIKELY = wordSet(
  'is are was were has have had at for of we it do does did not but by as to on an in be will can her or if out up off so am',
);
const ADVERB = String.raw`(?:also|too|both|all|always|just|still|never|often|now|no longer|once|sometimes|seldom|rather|quite|almost|even|only|already|neither|either|hardly|\p{Ll}+ly)`;
const PRONOUN_AND_VERB = new RegExp(
  String.raw`(?:^|[\s"'“(,;:–—-])(?:[Ii]|[Ww]e)(?:['’]\p{L}+)?\s+(?:${ADVERB}\s+)*(?<verb>\p{L}+)`,
  'gu',
);
/** Words for the first person, some of which other languages have: "i" is "and" in Polish, "we" is "in", "my" is "we". */
const FIRST_PERSON = /(?<![\p{L}\p{M}])(?:i|me|my|mine|myself|we|us|our|ours)(?![\p{L}\p{M}])/iu;
/**
 * "I garden": any word may be a verb. Italian plurals behind the article end in "i", and Scandinavian languages begin
 * sentences with words of time and place behind "I", which is their "in"; Slavic ones with verbs, for it is their "and".
 */
const PRONOUN_AND_WORD = new RegExp(
  String.raw`^I\s+(?:${ADVERB}\s+)*(?<word>[a-z][a-z-]{2,})(?![\p{L}\p{M}])`,
  'u',
);
/** "My mamy psa", "My bydlime v Praze": "we" and its verb. */
const SLAVIC_WE =
  /^my (?!(?:name|home|time|game|income|programme|theme|mummy|mommy|tummy|enemy|army|memo|demo|promo)\b)\p{L}+m[yeo]\b/iu;
const FOREIGN_AFTER_I =
  wordSet(`dag gar morgen morgon fjor fjol natt nat kveld aften aftes sommer sommar vinter helgen helga weekenden haven hagen huset byen
skolen skolan parken skogen min mitt mine mitten min den det denne dette hele hela alt alla begyndelsen gamle nye forrige forra alle ik
mam jestem lubie volim imam sam nisam nie nemam jsem som rad rada radim zivim bydlim mieszkam pracuje znam tak moj moja moje nasz nasza
moji moje jego jej tata mama pies kot oni ona one bili byla bylo dla ktos dalje onda opet cane gatto figlio`);

/** Short words of several languages that stand together in English alone. */
const PHRASE =
  /\b(?:(?:to|of|for|with|at|from|by) (?:me|us|them|him)|(?:is|are|was|were|being|becoming) (?:a|an|like|so|very|really|super|important|great|good|hard|tough|fun|chill|vital|amazing)|(?:a|an) (?:\p{L}+ )?(?:of|to|that)|can (?:be|make|help)|it \p{L}+s|pays off|reminds|gaining|someone|somebody|something|everyone|everything|anything|nothing|myself|yourself|ourselves)\b|['’]s (?:a|super|so|really|great|important)\b/iu;

/** Verbs that often follow "I", beside those the inflection knows. */
const OTHER_VERBS =
  wordSet(`am was have had do don't don’t will can could would must should used keep own adore dislike smoke suffer manage grow raise
train practise follow support attend belong identify rent collect vote earn weigh turn wear`);

const isVerb = (word: string): boolean =>
  isBaseVerb(word) || isPastForm(word) || OTHER_VERBS.has(word);

/** "Bo lives in Oslo": the third person of an English verb. */
const isThirdPerson = (word: string): boolean =>
  word.endsWith('s') && (isBaseVerb(word.slice(0, -1)) || isBaseVerb(word.slice(0, -2)));

/** "I garden": nothing but its first word tells that the sentence is English, and nothing that it is not. */
function opensInEnglish(sentence: string, words: readonly string[]): boolean {
  const word = PRONOUN_AND_WORD.exec(sentence)?.groups?.['word'] ?? '';
  if (word === '' || (word.endsWith('i') && word !== 'ski') || FOREIGN_AFTER_I.has(word))
    return false;
  return !words.some((one) => isFunctionWord(one) || /\P{ASCII}/u.test(one));
}

/** Whether the sentence, which is in Latin letters, has a word that an English reading would take for the first person. */
export function mayNameSpeaker(sentence: string): boolean {
  return FIRST_PERSON.test(sentence);
}

/** Whether the sentence, which is in Latin letters, has a sign of being English. */
export function looksEnglish(sentence: string): boolean {
  if (SLAVIC_WE.test(sentence)) return false;
  const words = segments(sentence).map(({ text }) => text.replaceAll('’', "'"));
  if (words.some((word) => CERTAIN.has(word)) || PHRASE.test(sentence)) return true;
  if (words.some(isThirdPerson)) return true;
  if (words.filter((word) => LIKELY.has(word)).length > 2) return true;
  for (const { groups } of sentence.matchAll(PRONOUN_AND_VERB)) {
    if (isVerb((groups?.['verb'] ?? '').toLowerCase())) return true;
  }
  if (opensInEnglish(sentence, words)) return true;
  return words.some((word) => LIKELY.has(word)) && words.some((word) => isPastForm(word));
}
