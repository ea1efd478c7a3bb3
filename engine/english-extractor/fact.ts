/** Cuts off clauses that only judge what a sentence tells, so that the fact is left. */
import { withoutEnding } from '../../domain/text/ending.ts';
import { informativeWords } from './vague.ts';

/**
 * "I rowed across - it was amazing": what comes after the fact only judges it. The search begins behind the last sign
 * that a verdict cannot hold; a match enters white space at its beginning only.
 */
const VERDICT_AFTER =
  /(?:(?<!\s)\s+[-–—]+\s*|(?<!\s)\s*[–—]\s*|;\s+|(?:,\s+|(?<![\s,])\s+)(?:and|but|so)\s+|,\s+)(?:it|that|this|they|these|those|everyone|life)(?:['’](?:s|re|ll)|\s+(?:is|was|are|were|has|have|will|feels?|felt|looks?|means?|makes?|made|sounds?|really|can))\b/giu;
/** "It was tough, but I moved". */
const VERDICT_BEFORE =
  /^(?:it|that|this|life|things?)(?:['’]s|\s+(?:is|was|has|have|can))\b[^,;–—]*?(?:(?:,\s+|(?<![\s,])\s+)(?:and|but|so)\s+|,\s+|(?<!\s)\s+[-–—]+\s+|\s?[–—]\s?)(?=(?:i|we)(?:['’](?:m|ve|ll|d|re))?\s|(?:my|our)\s)/iu;
const SINCE_LAST_TIME =
  /^(?:ever )?since (?:our last (?:chat|talk|call|conversation|message)|we(?:['’]ve)? (?:all )?(?:last )?(?:talked|spoke|spoken|chatted|met|caught up|saw each other)(?: last)?),\s+/iu;

/** "I live in Rome - that's not true" must not lose its second half. */
const NEGATION = /\b(?:not|no|never|nothing|nobody|wrong|false)\b|n['’]t\b/iu;

function onlyJudges(clause: string): boolean {
  return informativeWords(clause) === 0 && !NEGATION.test(clause);
}

const STOPS_VERDICT = [',', ';', '–', '—'];
const BEFORE_VERDICT = [/[-–—]/u, /\s/u] as const;

/** Where the verdict at the end of the sentence begins, with what joins it; null without one. */
function verdictAfter(sentence: string): number | null {
  const stop = Math.max(...STOPS_VERDICT.map((sign) => sentence.lastIndexOf(sign)));
  // This sign itself may join the verdict, with dashes and white space before it.
  const before = BEFORE_VERDICT.reduce(withoutEnding, sentence.slice(0, Math.max(0, stop)));
  VERDICT_AFTER.lastIndex = before.length;
  for (let found = VERDICT_AFTER.exec(sentence); found !== null;) {
    if (found.index + found[0].length > stop) return found.index;
    VERDICT_AFTER.lastIndex = found.index + 1;
    found = VERDICT_AFTER.exec(sentence);
  }
  return null;
}

/** The sentence without clauses that only judge what it tells; a verbatim piece of it. */
export function factOf(sentence: string): string {
  let rest = sentence.replace(SINCE_LAST_TIME, '');
  const after = verdictAfter(rest);
  if (after !== null && onlyJudges(rest.slice(after)))
    rest = withoutEnding(rest.slice(0, after), /[\s–—-]/u);
  const before = VERDICT_BEFORE.exec(rest);
  if (before !== null && onlyJudges(before[0])) rest = rest.slice(before[0].length);
  return rest;
}
