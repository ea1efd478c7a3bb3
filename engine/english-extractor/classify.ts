/** Kind and confidence of a statement by small English lexicons; what they miss is a plain fact. */
import type { ConfidenceLevel } from '../../domain/statements/said.ts';
import type { Kind } from '../../domain/statements/kinds.ts';
import type { WorthRule } from './worth/rules.ts';

const PREFERENCE =
  /\b(?:(?:dis)?likes?|loves?|loved|prefers?|preferred|hates?|enjoys?|enjoyed|adores?|favou?rites?|fan of|can't stand|rather than|obsessed with|allergic to|into (?:music|art|sports|reading))\b/iu;
const SKILL =
  /\b(?:speaks?|fluent|knows how to|know how to|good at|great at|skilled|expert|experienced in|certified|proficient|plays? (?:the )?(?:piano|guitar|violin|drums|clarinet|cello|flute|ukulele|chess)|can (?:speak|play|code|program|cook|swim|drive|sing|draw|paint|write))\b/iu;
const RELATION =
  /\b(?:married|engaged to|divorced|dating|(?:best )?friends? (?:with|named|since)|(?:is|are|was) \S+ (?:wife|husband|partner|spouse|mother|father|mom|dad|sister|brother|son|daughter|aunt|uncle|cousin|niece|nephew|grand\w+|boss|manager|colleague|coworker|roommate|neighbou?r|mentor|girlfriend|boyfriend|fianc\S+)|'s (?:wife|husband|partner|spouse|mother|father|mom|dad|sister|brother|son|daughter|boss|manager|roommate|girlfriend|boyfriend|fianc\S+) (?:is|are|was))\b/iu;

const HEDGE =
  /\b(?:maybe|perhaps|probably|possibly|might|may be|i think|i guess|i suppose|i believe|i feel like|seems?|seemed|apparently|not sure|i hope|hopefully|i wonder|i assume|likely|could be|kind of think|if)\b/iu;

const EVENT_VERB =
  /\b(?:went|moved|visited|attended|bought|sold|started|joined|quit|lost|won|met|married|graduated|passed|failed|launched|finished|completed|signed up|took|got (?:married|accepted|hired|fired|promoted|back|engaged)|traveled|travelled|hosted|adopted|celebrated|broke|hurt|fell|opened|ran|made|painted|had (?:a|an)|hiked|camped|flew|drove)\b/iu;

/** Kind of a statement; `dated` says that it has a closed window, which only an occurrence has. */
export function kindOf(statement: string, dated: boolean): Kind {
  if (dated && EVENT_VERB.test(statement)) return 'event';
  if (PREFERENCE.test(statement)) return 'preference';
  if (SKILL.test(statement)) return 'skill';
  if (RELATION.test(statement)) return 'relation';
  return EVENT_VERB.test(statement) || dated ? 'event' : 'fact';
}

/** Marks of irony and laughter: what stands beside them may be meant otherwise. */
const IRONY = /\b(?:lol|lmao|haha+|hehe+|rofl|as if)\b|[😂🤣🙄😜😉🙃]/iu;
/** Rules that conclude something from what is said; the others find what a person states outright. */
const IMPLIED: ReadonlySet<WorthRule> = new Set<WorthRule>([
  'feeling',
  'effect',
  'of others',
  'answer',
]);

/**
 * How openly a sentence says what the statement says. A hedge, a mark of irony, and a pronoun that was made clear make a
 * statement inferred. `rule` is null for a sentence that no rule was applied to.
 */
export function confidenceOf(
  sentence: string,
  rule: WorthRule | null = null,
  isCleared = false,
): ConfidenceLevel {
  if (isCleared || HEDGE.test(sentence) || IRONY.test(sentence)) return 'inferred';
  return rule !== null && IMPLIED.has(rule) ? 'clearly_implied' : 'stated_explicitly';
}

/**
 * The share of statements that a person found to be right and worth keeping, by the rule that found them: `npm run eval --
 * judged`, 725 statements. Of a sentence of another language, and of an answer, few have been read.
 */
const PRECISION: Readonly<Record<WorthRule, number>> = {
  event: 0.91,
  habit: 0.8,
  plan: 0.73,
  preference: 0.87,
  ability: 0.8,
  possession: 0.89,
  description: 0.8,
  feeling: 0.69,
  effect: 0.93,
  'of others': 0.72,
  answer: 0.6,
};
const UNREAD = 0.6;
/** Of a sentence that is hedged or told in jest. */
const DOUBTED = 0.75;

/** How often a statement that the rule finds in such a sentence is right, 0 to 1. */
export function precisionOf(sentence: string, rule: WorthRule | null): number {
  const precision = rule === null ? UNREAD : PRECISION[rule];
  const isDoubted = HEDGE.test(sentence) || IRONY.test(sentence);
  return Math.round(precision * (isDoubted ? DOUBTED : 1) * 100) / 100;
}
