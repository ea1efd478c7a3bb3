/**
 * Extracts from documents without a model: a sentence about a person of the account becomes a statement about that
 * person, any other a statement about the scope. Sentences in the first or second person are left out, because a
 * document names neither its speaker nor its listener.
 */
import { sensitivityOf } from '../../domain/sensitivity/sensitivity-of.ts';
import type { Candidate, ExtractionRequest } from '../../domain/statements/candidate.ts';
import { foldStatement } from '../../domain/extraction/fold.ts';
import { MASK } from '../secrets/mask-word.ts';
import { sentencesOf } from '../text/sentences.ts';
import { confidenceOf, kindOf } from './classify.ts';
import { isStatement, readsAsEnglish } from './eligible.ts';
import { extractDeterministic, MAX_STATEMENTS } from './extract.ts';
import { sentenceCase } from './judged.ts';
import { MAX_SENTENCE, MIN_SENTENCE } from './sentence-bounds.ts';
import { withoutAsides } from './own-words.ts';
import { namedSubject } from './subject.ts';
import { isFirstPerson } from './third-person.ts';

const BULLET = /^(?:[-*•‣◦–]|\(?\d{1,3}[.)])\s+/u;
const SECOND_PERSON = /\b(?:you|your|yours)\b/iu;

function candidateOf(span: string, request: ExtractionRequest): Candidate | null {
  if (span.length < MIN_SENTENCE || span.length > MAX_SENTENCE || span.includes(MASK)) return null;
  const english = readsAsEnglish(span);
  const person = english ? namedSubject(span, request.participants) : null;
  const subject = { named: person !== null, own: false, advised: false };
  if (!isStatement(span, english, subject)) return null;
  if (english && (isFirstPerson(span) || SECOND_PERSON.test(span))) return null;
  const sensitivity = sensitivityOf(span);
  // A restricted statement is always about a person.
  if (person === null && sensitivity === 'restricted') return null;
  const statement = sentenceCase(span);
  return {
    supportingSpan: span,
    statement,
    confidence_level: confidenceOf(span),
    kind: kindOf(statement, false),
    subjectType: person === null ? 'scope' : 'peer',
    subjectRef: person?.peerKey ?? request.scopePath,
    sensitivity,
    // The narrowest level: every reader of a scope reads what is about it anyway.
    targetLevel: 'peer',
    sourceMessageIds: [request.anchor.id],
    relevantFrom: null,
    relevantUntil: null,
  };
}

/** Statements of a chunk: each once, in text order, at most `MAX_STATEMENTS`. */
function extractFromChunk(request: ExtractionRequest): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const { text } of sentencesOf(withoutAsides(request.anchor.content))) {
    const candidate = candidateOf(text.replace(BULLET, ''), request);
    const fold = candidate === null ? '' : foldStatement(candidate.statement);
    if (candidate !== null && fold !== '' && !candidates.has(fold)) candidates.set(fold, candidate);
    if (candidates.size === MAX_STATEMENTS) break;
  }
  return [...candidates.values()];
}

/** Statements of an anchor, be it a turn or a chunk of a document. */
export function extractWithoutModel(request: ExtractionRequest): Candidate[] {
  return request.document == null ? extractDeterministic(request) : extractFromChunk(request);
}
