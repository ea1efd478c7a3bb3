/**
 * Which sentences are statements worth keeping: declarative, with enough content, about a named person or thing.
 * Greetings, questions, requests, praise and well-wishing for the other person, and code are not. English is judged
 * by its words, other languages by length and question marks only.
 */
import { segments } from '../../domain/text/tokens.ts';
import { contentTerms } from '../text/analyze.ts';
import { isOtherLatin } from '../english/function-words.ts';
import { isAdvice, isReaction } from './remarks.ts';
import { informativeWords } from './vague.ts';
import { wordSet } from '../../domain/text/word-set.ts';

/** Content words; the first person counts as one, since a name takes its place. */
const MIN_CONTENT_WORDS = 4;
/** "I live in Lisbon": sentences about oneself are short. */
const MIN_CONTENT_WORDS_OWN = 2;
/** For a sentence said to another person and not about the speaker: advice is kept, encouragement is not. */
const MIN_CONTENT_WORDS_ADDRESSED = 5;
const MIN_CHARACTERS_UNSPACED = 6;
/** Longer praise tells what it praises: "It was great - a cottage full of clocks". */
const MAX_CONTENT_WORDS_PRAISE = 5;
/** Longer "sentences" are pasted text without punctuation; a statement is something a person can review. */
const MAX_LENGTH = 600;
const MIN_LETTER_SHARE = 0.6;

const QUESTION_END = /[?？؟;][\s"'”’)*_\]]*$/u;
const QUESTION_MARK = /[?？؟](?=$|[\s"'”’)*_\]])/u;
const QUESTION_OPENING =
  /^(?:who|whom|whose|what|where|when|why|how|which|do|does|did|is|are|am|was|were|can|could|will|would|should|shall|may|have|has|had|isn't|aren't|don't|didn't|haven't|any|anything|wanna)\s+(?:i|you|we|they|he|she|it|there|this|that|these|those|the|a|an|your|my|our|is|are|was|were|do|does|did|about|come|else|exciting|new|fun|idea|plans)\b/iu;
const REQUEST =
  /^(?:check|let|let's|lets|keep|tell|show|send|take care|take a look|don't|do not|enjoy|stay|remember|try|go for|come|hang in|see you|imagine|guess|feel free|please|look at|look out|give|have fun|have a|make sure|never|be sure|be careful|thank|thanks|congrats|congratulations|good luck|good job|great job|nice job|well done|best of|happy to|glad|sorry|wishing|hope you|sounds|can't wait to (?:see|hear)|can’t wait to (?:see|hear)|oops|nice work|long time|here['’]s to|way to go|talk to you|talk soon|can you|count me|bring it|write|explain|help me|create|generate|summarize|translate|add|fix|list|suggest|provide|find|compare|consider)\b/iu;
/** Reactions to what the other said, or comfort: "what a trip", "I'm so happy for you". */
const REACTION =
  /^(?:what a|how|such|very|really|looks?|so (?:glad|happy|proud|excited|sorry|sweet|cool|awesome|true)|your (?:support|words|help|encouragement|friendship|faith)|love (?:that|this|it|your)|i (?:totally |completely |really |definitely )?(?:agree|know what you mean|hear you|get (?:it|that|you))|i(?:'m| am) (?:so |really |very |super )?(?:glad|happy|sorry|proud)(?: to hear| that you| for you| of you| you| your| it)|i(?:'m| am) here (?:for|to)|i (?:hope|bet|wish) you|i(?:'m| am) sure you|i(?:'ll| will) (?:always )?be here)\b/iu;
const PRAISE =
  /^(?:so|that|this|it|these|those|they|awesome|amazing|great|nice|cool|good|wonderful|beautiful|exciting)(?:['’](?:s|re|ll|d|ve))?(?: (?:is|was|are|sounds?|looks?|seems?|must|really|sure|so|such|quite|pretty|a|an|like|be|been|have))* (?:awesome|amazing|great|nice|cool|good|wonderful|beautiful|gorgeous|true|right|incredible|fantastic|lovely|inspiring|impressive|adorable|stunning|fun|tough|hard|rough)\b/iu;
/** Calls to do something together, and leftovers of thanks ("for letting me join"). */
const CALL = /\blet['’]s\b|^for \p{L}+ing\b|^every \p{L}+ (?:counts?|matters?)/iu;
const FIRST_PERSON =
  /\b(?:i|i['’](?:m|ve|ll|d)|me|my|mine|myself|we|we['’](?:re|ve|ll|d)|our|ours|us|ourselves)\b/iu;
const FIRST_PERSON_SUBJECT =
  /^(?:(?:last|next|this|every|yesterday|today|tomorrow|now|currently|recently) )?(?:\p{L}+ly )?(?:i|i['’](?:m|ve|ll|d)|my|we|we['’](?:re|ve|ll|d)|our)\b/iu;
/** "I'm vegetarian", "I am a nurse" say more than "I'm fine". */
const SELF_DESCRIPTION =
  /^i(?:['’]m| am) (?:an? |now |not )*(?<word>[\p{L}\p{N}]{2,})(?: years old)?[.!]*$/iu;
const MOOD =
  wordSet(`ok okay fine good well great better sure sorry happy glad excited back here there in done ready tired pumped stoked happy
sad proud game down up on off out home late busy free bored hungry curious speechless impressed amazed jealous lucky thankful
grateful scared nervous serious kidding joking listening coming going trying right wrong new interested afraid fan`);
/** "I have been to Porto": one word is enough when it is a name. */
const OWN_NAMES = /\s(?!I\b)\p{Lu}\p{Ll}/u;
/** Verbs by their looks; it finds an ending first and its word behind it, so that it reads a long word once. */
const FINITE_VERB = /\b(?:is|are|was|were|has|have|had|will)\b|(?:s|ed)\b(?<=\b\p{Ll}+?(?:s|ed))/u;
const NAME_OR_NUMBER = /\s(?:\p{Lu}\p{Ll}|\p{Lu}{2}|\S*\d)/u;
const SECOND_PERSON = /\b(?:you|your|yours|you['’](?:re|ve|ll|d))\b/iu;
const CODE =
  /^(?:```|[{}[\]<>|\\/#$@;=]|import |const |let \w+ =|def |class \w+[:({]|function |return |SELECT )|[{};]$|=>|\(\)|<\/?\w+>/u;
const LINK = /https?:\/\/\S/u;

/** A finite verb before the first comma and, after it, a number or a capital: "The office moved to Hamburg". */
function namesSomething(sentence: string): boolean {
  if (sentence.includes('!')) return false;
  const opening = sentence.split(',', 1)[0] ?? '';
  const verb = FINITE_VERB.exec(opening);
  return verb !== null && NAME_OR_NUMBER.test(sentence.slice(verb.index + verb[0].length));
}

/** Code by its looks, or an address that the sentence ends with. */
function readsAsCode(sentence: string): boolean {
  const last = sentence.split(/\s/u).at(-1) ?? '';
  return CODE.test(sentence) || LINK.test(last);
}

function letterShare(sentence: string): number {
  const dense = sentence.replace(/\s+/gu, '');
  return dense === '' ? 0 : (dense.match(/[\p{L}\p{N}\p{M}]/gu)?.length ?? 0) / dense.length;
}

/** Whether an English reading of the sentence makes sense: mostly Latin and not evidently another language. */
export function readsAsEnglish(sentence: string): boolean {
  const words = segments(sentence).map((segment) => segment.text);
  const latin = words.filter((word) => /^[\p{sc=Latin}\p{N}'\p{M}]+$/u.test(word));
  return latin.length * 2 > words.length && !isOtherLatin(latin);
}

function isSelfDescription(sentence: string): boolean {
  const word = SELF_DESCRIPTION.exec(sentence)?.groups?.['word']?.toLowerCase();
  return word !== undefined && !MOOD.has(word);
}

/** What is known of a sentence's subject. */
export interface SentenceSubject {
  /** It is a named participant: then less content makes the sentence specific. */
  readonly named: boolean;
  /** It is the speaker, which the sentence leaves out: "Been busy". */
  readonly own: boolean;
  /** A person listens and may be advised; a sentence that tells an agent what to do is a request. */
  readonly advised: boolean;
}

const UNKNOWN_SUBJECT: SentenceSubject = { named: false, own: false, advised: false };

function enoughEnglishContent(sentence: string, { named, own }: SentenceSubject): boolean {
  const content = contentTerms(sentence).length;
  const addressed = SECOND_PERSON.test(sentence);
  if ((own || FIRST_PERSON_SUBJECT.test(sentence)) && !addressed) {
    const named = content > 0 && OWN_NAMES.test(sentence) ? 1 : 0;
    return content + named >= MIN_CONTENT_WORDS_OWN || isSelfDescription(sentence);
  }
  const person = FIRST_PERSON.test(sentence) && !addressed ? 1 : 0;
  const specific = person === 0 && (named || namesSomething(sentence)) ? 1 : 0;
  return content + person + specific >= MIN_CONTENT_WORDS;
}

function enoughContent(sentence: string, english: boolean, subject: SentenceSubject): boolean {
  if (english) return enoughEnglishContent(sentence, subject);
  const parts = segments(sentence);
  const unspaced = parts.filter((part) => part.kind !== 'word').map((part) => part.text);
  return (
    parts.length - unspaced.length >= MIN_CONTENT_WORDS ||
    Array.from(unspaced.join('')).length >= MIN_CHARACTERS_UNSPACED
  );
}

/** Conditions that hold in every language: no question, no code, mostly letters, short enough to review. */
export function isProse(sentence: string): boolean {
  return (
    sentence.length <= MAX_LENGTH &&
    !QUESTION_MARK.test(sentence) &&
    !readsAsCode(sentence) &&
    letterShare(sentence) >= MIN_LETTER_SHARE
  );
}

function isImpersonalStatement(sentence: string): boolean {
  if (CALL.test(sentence) || isReaction(sentence)) return false;
  const content = contentTerms(sentence).length;
  if (SECOND_PERSON.test(sentence) && content < MIN_CONTENT_WORDS_ADDRESSED) return false;
  return content > MAX_CONTENT_WORDS_PRAISE || !PRAISE.test(sentence);
}

function isEnglishStatement(sentence: string, { own, advised }: SentenceSubject): boolean {
  const personal = own || FIRST_PERSON.test(sentence);
  if (advised && !personal && isAdvice(sentence)) return true;
  if (REQUEST.test(sentence) || REACTION.test(sentence)) return false;
  if (!own && QUESTION_OPENING.test(sentence)) return false;
  return personal ? informativeWords(sentence) > 0 : isImpersonalStatement(sentence);
}

/** Whether the sentence, openers stripped, is a statement. `english` as `readsAsEnglish` says. */
export function isStatement(
  sentence: string,
  english: boolean,
  subject: SentenceSubject = UNKNOWN_SUBJECT,
): boolean {
  if (!isProse(sentence) || (!english && QUESTION_END.test(sentence))) return false;
  if (!enoughContent(sentence, english, subject)) return false;
  return !english || isEnglishStatement(sentence, subject);
}
