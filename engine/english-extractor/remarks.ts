/**
 * Sentences about no person: they tell what their speaker thinks or advises, unless they only react to something that
 * was said or shown. Closed lists of English, like every lexicon here.
 */
import { informativeWords } from './vague.ts';

const VERDICT =
  /\b(?:is|are|was|were|be|been|being|looks?|sounds?|seems?|feels?|makes?|made|takes|gives?|['’]s|['’]re)\b.{0,24}\b(?:great|good|nice|awesome|amazing|cool|fun|lovely|wonderful|beautiful|gorgeous|incredible|fantastic|special|inspiring|impressive|important|key|vital|crucial|essential|worth|tough|hard|difficult|challenging|scary|rewarding|fulfilling|powerful|priceless|precious|exciting|perfect|best|blast|hassle|joy|happy|proud|cozy|vivid|fancy|bold|smart|better|okay|calming|peaceful|courage|strength|difference)\b/iu;
/** "Find a teacher who mends clocks", "Don't forget the hinges": told to the other, from experience. */
const ADVICE =
  /^(?:(?:just|maybe|perhaps|also|and|instead of [^,]{1,60},|for [^,]{1,60},) )*(?:be sure to|make sure|(?:do not|don['’]t|never) (?:forget|be)|remember(?: to| that)|keep|use|set|focus on|find|try|do|get|look into|consider|swap|start with|treat|talk to|reach out|surround|believe in|stay|take|go for|join|read|eat|drink|build|create|work|post|offer|visit|cook|add|learn|practi[cs]e) (?!(?:is|are|was|were|has|have|had|will|can|could|would|did|does|got|went|goes|makes?|made|helps?|takes?|took)\b)/iu;
const APPEARANCE = /\b(?:looks?|sounds?)\b/iu;
const POINTING = /^(?:(?:and|but|all) )?(?:that|those|this|these|they|that['’]s)\b/iu;
const LEANING =
  /^(?:it|it['’](?:s|ll|d)|its|they|they['’](?:re|ve|ll|d)|their|she|he|she['’]s|he['’]s|her|his|that|that['’]s|this|these|those)\b/iu;
/** After its first word: a name or a number. */
const NAMED = /^.+?\s(?:\p{Lu}\p{Ll}+|\S*\d)/u;
const ENOUGH = 2;

/** Whether a sentence without a person reacts to what another said or showed, or to something it does not name. */
export function isReaction(sentence: string): boolean {
  if (APPEARANCE.test(sentence)) return true;
  if (POINTING.test(sentence) && VERDICT.test(sentence)) return true;
  return !NAMED.test(sentence) && LEANING.test(sentence) && informativeWords(sentence) < ENOUGH;
}

/** Whether a sentence tells the other what to do, and says enough of it to be remembered as advice. */
export function isAdvice(sentence: string): boolean {
  return ADVICE.test(sentence) && informativeWords(sentence) >= ENOUGH;
}
