/** Sentences that leave the speaker out: "Lost my job", "Been busy", "Gonna try it", "So excited for May". */
import { isPastForm } from '../../domain/text/past-form.ts';
import { agree } from './verbs.ts';

const OPENING =
  /^(?:(?<adverb>just|finally|recently|also|still|already|always|so|really|currently) )?(?<verb>\p{L}+(?:['’]\p{L}+)?)/iu;
/** Without a finite verb after it an -ing form is what the speaker is doing; with one it is the subject. */
const FINITE =
  /\b(?:is|isn['’]t|are|aren['’]t|was|were|has|have|had|can|could|will|would|must|might|may|should|does|do|did|sounds?|looks?|seems?|feels?|makes?|made|takes?|gives?|gave|helps?|helped|brings?|keeps?|means?|matters?|requires?)\b|['’](?:s|re|ll|ve|d)\b/iu;
/** "Taking the bus, I met him" has its subject after the comma. */
const SUBJECT_AFTER = /,\s+(?:i|we)(?:['’]\p{L}+)?\s|,\s+(?:my|our)\s/iu;
/** -ing words that describe other people and things, or begin a phrase that depends on another sentence. */
const NO_ACTIVITY =
  /^(?:according|amazing|anything|being|boring|bring|during|evening|everything|exciting|fascinating|heartwarming|including|inspiring|interesting|king|morning|nothing|ring|sing|something|spring|string|swing|thing|thinking of you|touching|speaking of|considering|wedding|wing|wishing)\b/iu;
const STATE =
  /^(?:excited|stoked|thrilled|pumped|nervous|determined|lucky|blessed|obsessed|tired|exhausted|grateful|thankful|ready|about to|on the (?:hunt|lookout)|in (?:awe|love)|up for|open to)\b/iu;
const OTHER_SUBJECT =
  /^(?:\p{L}+ed|left|known|given|born|made|done|put|set|let|read|cut) (?:by|in|on|at|to be)\b/iu;
/** "Did you know" asks, with or without its mark. */
const INVERTED =
  /^(?:did|had|was|were) (?:i|you|we|they|he|she|it|there|any\p{L}*|your|my|our|the|this|that)\b/iu;
const LIKING = /^(?:love|like|hate|want|need|enjoy|prefer|hope)\b (?!you)/iu;
const NEGATED: ReadonlyMap<string, string> = new Map([
  ["haven't", "hasn't"],
  ["didn't", "didn't"],
  ["couldn't", "couldn't"],
  ["won't", "won't"],
]);
const SHORT: ReadonlyMap<string, string> = new Map([
  ['been', 'has been'],
  ['gonna', 'is going to'],
  ['gotta', 'has to'],
  ['wanna', 'wants to'],
]);

const JOINT_PLAN = /^let['’]s\s+(?=\p{L})/iu;

/** "Let's paint next Saturday" as a wish of its speaker; null for anything else. */
export function withSharedPlan(sentence: string): string | null {
  return JOINT_PLAN.test(sentence) ? sentence.replace(JOINT_PLAN, 'I want to ') : null;
}

const OWN_DREAM =
  /^(it(?:['’]s| has| was| is) (?:always |long )?(?:been )?a (?:\p{L}+ )?(?:dream|goal|ambition))(?: of mine)?(?= to )/iu;
const SHOWING =
  /^(?:check(?: out)?|take a look at|have a look at|look(?: at)?)\s+(?=(?:my|our)\s\p{L}|(?:this|these)[.!]*$|what (?:i|we)(?:['’]ve)?\s\p{L})/iu;
const SHOWING_THIS = /^check (?<object>this|these) out(?=[.!]*$)/iu;

/** "It's been a dream to sail": whose it is, the speaker need not say; null for anything else. */
export function withOwnDream(sentence: string): string | null {
  return OWN_DREAM.test(sentence) ? sentence.replace(OWN_DREAM, '$1 of mine') : null;
}

/** "Check out my boat!", "Take a look at this!": what its speaker shows; null for anything else. */
export function withShownThing(sentence: string): string | null {
  const shown = sentence.replace(SHOWING, 'I show ').replace(SHOWING_THIS, 'I show $<object>');
  return shown === sentence ? null : shown;
}

/** The verb phrase of the third person that the sentence opens with, up to `rest`; null when it has its own subject. */
function predicate(sentence: string, verb: string, hasAdverb: boolean): string | null {
  const bare = sentence.slice(sentence.toLowerCase().indexOf(verb));
  if (INVERTED.test(bare)) return null;
  const short = SHORT.get(verb) ?? NEGATED.get(verb.replaceAll('’', "'"));
  if (short !== undefined) return `${short}${bare.slice(verb.length)}`;
  if (STATE.test(bare)) return `is ${bare}`;
  if (/^can['’]t wait\b/iu.test(bare)) return bare;
  if (verb.endsWith('ing')) {
    const elsewhere = [NO_ACTIVITY, FINITE, SUBJECT_AFTER].some((pattern) => pattern.test(bare));
    return elsewhere ? null : `is ${bare}`;
  }
  if (!hasAdverb && LIKING.test(bare)) return `${agree(verb)}${bare.slice(verb.length)}`;
  const told = isPastForm(verb) && !OTHER_SUBJECT.test(bare) && !/^(?:was|were)$/u.test(verb);
  return told ? bare : null;
}

/**
 * Completes a sentence that leaves the speaker out: "Lost my job" to "Ada lost my job", "Been busy" to "Ada
 * has been busy". Null when the sentence has its own subject.
 */
export function withSpokenSubject(sentence: string, speaker: string): string | null {
  const opening = OPENING.exec(sentence)?.groups;
  const verb = opening?.['verb']?.toLowerCase();
  if (verb === undefined) return null;
  const adverb = opening?.['adverb']?.toLowerCase();
  const lower = sentence.charAt(0).toLowerCase() + sentence.slice(1);
  const told = predicate(lower, verb, adverb !== undefined);
  if (told === null) return null;
  const [first = '', ...rest] = told.split(' ');
  if (adverb === undefined) return `${speaker} ${told}`;
  // "Still working" to "is still working", "just lost" to "just lost".
  return /^(?:is|has)$/u.test(first)
    ? `${speaker} ${first} ${adverb} ${rest.join(' ')}`
    : `${speaker} ${adverb} ${told}`;
}
