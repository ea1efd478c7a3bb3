/** Cuts off clauses that only judge what a sentence tells: what is left is the fact. */
import { informativeWords } from './vague.ts';

/** "I rowed across - it was amazing": what comes after the fact only judges it. */
const VERDICT_AFTER =
  /(?:\s+[-–—]+\s*|\s*[–—]\s*|;\s+|,?\s+(?:and|but|so)\s+|,\s+)(?:it|that|this|they|these|those|everyone|life)(?:['’](?:s|re|ll)|\s+(?:is|was|are|were|has|have|will|feels?|felt|looks?|means?|makes?|made|sounds?|really|can))\b[^,;–—]*$/iu;
/** "It was tough, but I moved". */
const VERDICT_BEFORE =
  /^(?:it|that|this|life|things?)(?:['’]s|\s+(?:is|was|has|have|can))\b[^,;–—]*?(?:,?\s+(?:and|but|so)\s+|,\s+|\s+[-–—]+\s+|\s?[–—]\s?)(?=(?:i|we)(?:['’](?:m|ve|ll|d|re))?\s|(?:my|our)\s)/iu;
const SINCE_LAST_TIME =
  /^(?:ever )?since we(?:['’]ve)? (?:all )?(?:last )?(?:talked|spoke|spoken|chatted|met|caught up|saw each other)(?: last)?,\s+/iu;

/** "I live in Rome - that's not true" must not lose its second half. */
const NEGATION = /\b(?:not|no|never|nothing|nobody|wrong|false)\b|n['’]t\b/iu;

function onlyJudges(clause: string): boolean {
  return informativeWords(clause) === 0 && !NEGATION.test(clause);
}

/** The sentence without clauses that only judge what it tells; a verbatim piece of it. */
export function factOf(sentence: string): string {
  let rest = sentence.replace(SINCE_LAST_TIME, '');
  const after = VERDICT_AFTER.exec(rest);
  if (after !== null && onlyJudges(after[0])) rest = rest.slice(0, after.index);
  const before = VERDICT_BEFORE.exec(rest);
  if (before !== null && onlyJudges(before[0])) rest = rest.slice(before[0].length);
  return rest;
}
