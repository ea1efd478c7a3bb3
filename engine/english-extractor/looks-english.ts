/**
 * Whether a short sentence in Latin letters gives sign of being English. English pronouns and verb endings must not be put
 * into sentences of other languages, whose words may look like English ones: "Mam psa i kota" has no "I".
 */
import { segments } from '../../domain/text/tokens.ts';
import { isPastForm } from '../../domain/text/past-form.ts';
import { wordSet } from '../../domain/text/word-set.ts';
import { isBaseVerb } from './verbs.ts';

/** Words of no other language in Latin letters, or of hardly any. */
const CERTAIN =
  wordSet(`the and with my this that these those they them their you your yours i'm i've i'll i'd it's don't doesn't didn't isn't wasn't can't
couldn't won't wouldn't haven't hasn't been being would could should because from which while when where who what how about after before
since until there just really very much many our ours us she his him he's she's we're we've they're you're gonna gotta wanna also again
every some any into than then though through without yesterday today tomorrow last next helps makes brings keeps gives works working looking
trying getting going doing having feeling things family friend friends kids people love loves life year years month months days always
never here more most such thanks great nice new good try instead keep make takes lost found moved bought went took got made`);
/** Words that other languages have, too; two of them are a sign. */
const LIKELY = wordSet(
  'is are was were has have had at for of we it do does did not but by as to on an in be will can her or if out up off so am',
);
const PRONOUN_AND_VERB =
  /(?:^|[\s"'“(,;:–—-])(?:I|We|we)(?:['’]\p{L}+)?\s+(?:(?:also|always|just|still|never|often|now|no longer|hardly|rarely|sometimes|really|recently|usually|only|finally|actually|already|currently|both|all)\s+)*(?<verb>\p{L}+)/gu;

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

/** Whether the sentence, which is in Latin letters, has a sign of being English. */
export function looksEnglish(sentence: string): boolean {
  const words = segments(sentence).map(({ text }) => text.replaceAll('’', "'"));
  if (words.some((word) => CERTAIN.has(word)) || PHRASE.test(sentence)) return true;
  if (words.some(isThirdPerson)) return true;
  if (words.filter((word) => LIKELY.has(word)).length > 2) return true;
  for (const { groups } of sentence.matchAll(PRONOUN_AND_VERB)) {
    if (isVerb((groups?.['verb'] ?? '').toLowerCase())) return true;
  }
  return words.some((word) => LIKELY.has(word)) && words.some((word) => isPastForm(word));
}
