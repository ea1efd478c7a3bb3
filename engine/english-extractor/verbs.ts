/** English verb forms, as far as turning "I" into a name needs them. */
import { IRREGULAR_BASES, UNCHANGED_VERBS } from '../../domain/text/irregular.ts';
import { isPastForm } from '../../domain/text/past-form.ts';
import { wordSet } from '../../domain/text/word-set.ts';

const FIXED: ReadonlyMap<string, string> = new Map([
  ['am', 'is'],
  ['are', 'is'],
  ["aren't", "isn't"],
  ['were', 'was'],
  ["weren't", "wasn't"],
  ["'m", 'is'],
  ['have', 'has'],
  ["'ve", 'has'],
  ["'ll", 'will'],
  ['do', 'does'],
  ["don't", "doesn't"],
  ['dont', "doesn't"],
  ["haven't", "hasn't"],
  ["ain't", "isn't"],
  ['go', 'goes'],
  ['wanna', 'wants to'],
  ['gotta', 'has to'],
  ['gonna', 'is going to'],
]);

const UNINFLECTED =
  wordSet(`can could will would shall should may might must cannot can't couldn't won't wouldn't shouldn't
was wasn't had hadn't did didn't is isn't has hasn't does doesn't ought used`);

/** Words that may stand between subject and verb. */
const ADVERBS =
  wordSet(`also always just still never even often sometimes now then only ever already almost soon once again too both hardly
rather quite kinda sorta sort kind of recently finally really actually usually currently no longer least most best better first neither either`);

const NOT_VERBS = wordSet('and or but to in on at for with from by as if when than that who which');

/** Base verbs a regular ending hides in the coordination "I like and use". */
const COMMON_BASES =
  wordSet(`like love want need use work live play enjoy prefer hate try help plan hope think feel know make take get go eat drink
read write run cook bake paint draw dance sing study teach learn visit travel walk hike swim ride drive watch listen call
talk meet own believe care wish stay start stop look volunteer practice collect create design build develop smoke vape exercise garden matter calm`);

export function isAdverb(word: string): boolean {
  return ADVERBS.has(word) || (word.endsWith('ly') && word.length > 4);
}

/** Whether the lower-case word is a base form that a third person inflects. */
export function isBaseVerb(word: string): boolean {
  return COMMON_BASES.has(word) || IRREGULAR_BASES.has(word);
}

/** Third person singular of a base form. */
export function withThirdPersonEnding(base: string): string {
  if (/(?:s|x|z|ch|sh|[^aeiou]o)$/u.test(base)) return `${base}es`;
  if (/[^aeiou]y$/u.test(base)) return `${base.slice(0, -1)}ies`;
  return `${base}s`;
}

/**
 * The verb after a subject that changes from first to third person: "am" to "is", "like" to "likes"; past
 * forms, modals and anything that is no verb stay. Case of the input is kept where the word stays.
 */
export function agree(verb: string): string {
  const word = verb.toLowerCase().replaceAll('’', "'");
  const fixed = FIXED.get(word);
  if (fixed !== undefined) return fixed;
  const stays =
    UNINFLECTED.has(word) ||
    NOT_VERBS.has(word) ||
    UNCHANGED_VERBS.has(word) ||
    (isPastForm(word) && !isBaseVerb(word)) ||
    !/^[a-z]{2,}$/u.test(word) ||
    word.endsWith('ing');
  return stays ? verb : withThirdPersonEnding(word);
}

/** "I'd been" had, "I'd like" would. */
export function expandD(next: string): string {
  const word = next.toLowerCase();
  return word === 'better' || (isPastForm(word) && !isBaseVerb(word)) || word === 'been'
    ? 'had'
    : 'would';
}

const FINITE =
  /\b(?:i|we|is|are|was|were|has|have|had|will|can|could|would|do|does|did)\b|\b(?:it|he|she|that|there|here|who|what|they|you|i|we)['’](?:s|m|re|ve|ll|d)\b|['’]s\s+(?:been|not|so|really|always|a|an|the|in|at|my|\p{L}+ing)\b/iu;

/** Whether a clause has a verb, or a subject of the first person that brings one. */
export function hasVerb(clause: string): boolean {
  return FINITE.test(clause) || (clause.toLowerCase().match(/[a-z]+/gu) ?? []).some(isPastForm);
}
