/**
 * What the built-in extractor would leave out is a fault of a model's statement, too: a pronoun that nothing explains, a "you"
 * that may be anybody, and politeness. English alone; what the rules do not recognise passes.
 */
import type { FaultCode } from './validate-faults.ts';

const QUOTED = /"[^"]{0,400}"|“[^“”]{0,400}”|«[^«»]{0,400}»/gu;
/** What follows a pronoun in brackets says what it stands for. */
const EXPLAINED = /^\s*(?:\p{L}+\s+)?\[/u;
const PRONOUN = /^(?:it|they|she|he|its|their|her|his)(?=['’]|\s)/iu;
/** "This" and "that" stand for something where a verb follows; before a noun they point at it. */
const POINTING =
  /^(?:this|that|these|those)(?:['’]s|\s+(?:is|are|was|were|has|have|had|will|would|can|could|makes?|made|helps?|helped|means?|meant|gives?|gave|took|takes|led|leads|brings?|brought|keeps?|kept)\b)/iu;
/** "It rains", "it takes two hours to": this "it" stands for nothing. */
const IMPERSONAL =
  /^it (?:rain|snow)(?:s|ed)\b|^it t(?:akes|ook) .{1,80} to\b|^it(?:['’]s|\s+(?:is|was|will be|has been))\s+(?:rain|snow|\d|an? hour|(?:two|three|four|five|six|ten|many|some|several|a few) (?:minutes|hours|days|weeks|months|years)|(?:important|hard|easy|possible) for)/iu;
const ADDRESS = /(?<![\p{L}\p{M}])(?:you|your|yours|yourself|yourselves)(?![\p{L}\p{M}-])/iu;

const NAME = String.raw`[\p{L}\p{M}\p{N}'’.-]+(?:\s+[\p{L}\p{M}\p{N}'’.-]+){0,2}?`;
const DEGREE = String.raw`(?:(?:so|very|really|truly|super|always) )*`;
const GOOD = String.raw`(?:good|great|nice|awesome|amazing|wonderful|lovely|beautiful|inspiring|impressive|incredible|fantastic)`;
/** Thanks, praise, wishes and agreement, told of who says them. */
const POLITE: readonly RegExp[] = [
  new RegExp(
    String.raw`^${NAME} (?:is|was|feels?) ${DEGREE}(?:proud of|happy for|grateful to|thankful to|impressed (?:by|with)|glad (?:that|for)|sorry (?:to hear|for|about))\s`,
    'iu',
  ),
  new RegExp(
    String.raw`^${NAME} ${DEGREE}(?:appreciates?|admires?|agrees?|encourages?|congratulates?|compliments?|thanks|welcomes?)\b`,
    'iu',
  ),
  new RegExp(
    String.raw`^${NAME} (?:wishes|hopes) (?!to\b).{1,80}\b(?:luck|well|the best|${GOOD})\b`,
    'iu',
  ),
  new RegExp(
    String.raw`^${NAME} (?:thinks|finds|believes|says)(?: that)? .{1,60} (?:is|are|was|were|looks?|sounds?) ${DEGREE}${GOOD}[.!]*$`,
    'iu',
  ),
];

/** Whether nothing in the text says what its first word stands for. */
function opensUnclear(text: string): boolean {
  const pronoun = PRONOUN.exec(text) ?? POINTING.exec(text);
  if (pronoun === null || IMPERSONAL.test(text)) return false;
  const [word = ''] = pronoun[0].split(/['’\s]/u);
  return !EXPLAINED.test(text.slice(word.length));
}

/** Faults of a cleaned statement that nobody could use later. Linear in its length. */
export function worthFaults(statement: string): FaultCode[] {
  const text = statement.replaceAll(QUOTED, '""');
  const faults: FaultCode[] = [];
  if (opensUnclear(text)) faults.push('statement_unclear');
  if (ADDRESS.test(text)) faults.push('statement_addresses');
  if (POLITE.some((pattern) => pattern.test(text))) faults.push('statement_without_fact');
  return faults;
}
