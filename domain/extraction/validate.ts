/**
 * Validation of a proposed statement against the request: pure rules, no language model, any script.
 * Every rule that a candidate breaks is reported at once, so that one repair can mend them all.
 */
import type { Candidate, ExtractionRequest, SourceMessage } from '../statements/candidate.ts';
import { datesAreSupported, type ResolveDates } from './validate-dates.ts';
import { isEvidenceRole } from '../observations/roles.ts';
import type { CandidateFault } from './validate-faults.ts';
import { onlyAsks } from './validate-span.ts';
import { knownPeople, subjectFaults } from './validate-subject.ts';
import { holdsWord, statementFaults } from './validate-text.ts';
import { worthFaults } from './validate-worth.ts';

const MAX_SPAN = 2_000;

/** All faults of a candidate; none means that it may be stored as a proposal. */
export function validateCandidate(
  candidate: Candidate,
  request: ExtractionRequest,
  resolveDates: ResolveDates,
): CandidateFault[] {
  const messages = [...request.window, request.anchor];
  const cited = messages.filter((message) => candidate.sourceMessageIds.includes(message.id));
  const { statement, subjectType } = candidate;
  const codes = [...statementFaults(statement, subjectType === 'peer'), ...worthFaults(statement)];
  return [
    ...codes.map((code) => ({ field: 'statement', code })),
    ...sourceFaults(candidate, request, cited),
    ...spanFaults(candidate, request, cited),
    ...subjectFaults(candidate, request, cited),
    ...windowFaults(candidate),
    ...dateFaults(candidate, cited, resolveDates),
  ];
}

function sourceFaults(
  candidate: Candidate,
  request: ExtractionRequest,
  cited: readonly SourceMessage[],
): CandidateFault[] {
  const faults: CandidateFault[] = [];
  const field = 'source_message_ids';
  const known = new Set(cited.map((message) => message.id));
  if (candidate.sourceMessageIds.some((id) => !known.has(id))) {
    faults.push({ field, code: 'unknown_source' });
  }
  if (!candidate.sourceMessageIds.includes(request.anchor.id)) {
    faults.push({ field, code: 'anchor_not_cited' });
  }
  if (cited.some((message) => !isEvidenceRole(message.role))) {
    faults.push({ field, code: 'source_not_evidence' });
  }
  return faults;
}

function spanFaults(
  candidate: Candidate,
  request: ExtractionRequest,
  cited: readonly SourceMessage[],
): CandidateFault[] {
  const { supportingSpan, statement, subjectRef } = candidate;
  const field = 'supporting_span';
  const isVerbatim =
    supportingSpan.trim() !== '' &&
    cited.some((message) => message.content.includes(supportingSpan));
  if (!isVerbatim) return [{ field, code: 'span_not_verbatim' }];
  // A comma stands in every message and proves nothing.
  if (!holdsWord(supportingSpan)) return [{ field, code: 'text_unreadable' }];
  if (supportingSpan.length > MAX_SPAN) return [{ field, code: 'text_too_long' }];
  const names = knownPeople(request)
    .filter((person) => person.peerKey === subjectRef)
    .flatMap((person) => [person.peerKey, person.name]);
  return onlyAsks(supportingSpan, statement, names, cited)
    ? [{ field, code: 'span_only_asks' }]
    : [];
}

function windowFaults({ relevantFrom, relevantUntil }: Candidate): CandidateFault[] {
  if (relevantFrom === null || relevantUntil === null) return [];
  return Date.parse(relevantFrom.at) < Date.parse(relevantUntil.at)
    ? []
    : [{ field: 'relevant_until', code: 'window_reversed' }];
}

function dateFaults(
  { statement, supportingSpan }: Candidate,
  cited: readonly SourceMessage[],
  resolveDates: ResolveDates,
): CandidateFault[] {
  return datesAreSupported(statement, supportingSpan, cited, resolveDates)
    ? []
    : [{ field: 'statement', code: 'date_unsupported' }];
}
