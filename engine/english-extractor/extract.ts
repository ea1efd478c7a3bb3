/**
 * The extractor that needs no model: sentences of a message that hold something lasting become statements about their
 * speaker, in the third person, dated by the words that date them. English first; sentences of other languages are kept
 * as they are. Linear in the length of the message.
 */
import { sensitivityOf } from '../../domain/sensitivity/sensitivity-of.ts';
import type { Candidate, ExtractionRequest } from '../../domain/statements/candidate.ts';
import { foldStatement } from '../../domain/extraction/fold.ts';
import { isEvidenceRole } from '../../domain/observations/roles.ts';
import type { Assertion } from './assertion.ts';
import { assertionsOf } from './assertions.ts';
import { confidenceOf, kindOf, precisionOf } from './classify.ts';
import { voiceOf, windowOf } from './voice.ts';
import { namesAgent } from './subject.ts';

/**
 * Statements kept of one message, in text order. Far more than a chat message says; a longer text is a
 * document in disguise, and the statements beyond stay findable as the message itself.
 */
export const MAX_STATEMENTS = 100;

function candidateOf(assertion: Assertion, { anchor }: ExtractionRequest): Candidate {
  const window = windowOf(assertion.dated, anchor);
  return {
    supportingSpan: assertion.span,
    statement: assertion.statement,
    confidence_level: confidenceOf(assertion.dated, assertion.rule, assertion.isCleared),
    precision: precisionOf(assertion.dated, assertion.rule),
    kind: kindOf(assertion.statement, window.from !== null && window.until !== null),
    subjectType: 'peer',
    subjectRef: assertion.subjectRef,
    sensitivity: sensitivityOf(assertion.span),
    targetLevel: 'peer',
    sourceMessageIds: assertion.alsoFrom === null ? [anchor.id] : [anchor.id, assertion.alsoFrom],
    relevantFrom: window.from,
    relevantUntil: window.until,
  };
}

/**
 * Statements of the anchor: each once (by `foldStatement`), in text order, at most `MAX_STATEMENTS`. None from the turns of
 * machines. Deterministic; of the window the message right before is read, for what a pronoun or an answer refers to.
 */
export function extractDeterministic(request: ExtractionRequest): Candidate[] {
  if (!isEvidenceRole(request.anchor.role)) return [];
  const { others } = voiceOf(request);
  const candidates = new Map<string, Candidate>();
  for (const assertion of assertionsOf(request)) {
    if (namesAgent(assertion.statement, others)) continue;
    const fold = foldStatement(assertion.statement);
    if (fold !== '' && !candidates.has(fold)) candidates.set(fold, candidateOf(assertion, request));
    if (candidates.size === MAX_STATEMENTS) break;
  }
  return [...candidates.values()];
}
