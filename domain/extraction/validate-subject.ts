/**
 * Which subject a statement may have. A relaying or answering agent is never a subject of what it carried; an agent
 * that spoke a cited message itself is an ordinary speaker.
 */
import type {
  Candidate,
  ExtractionRequest,
  Participant,
  SourceMessage,
} from '../statements/candidate.ts';
import { isEvidenceRole } from '../observations/roles.ts';
import type { CandidateFault } from './validate-faults.ts';
import { opensInFirstPerson } from './validate-text.ts';

const FIRST_PERSON_SINGULAR = /^(?:I|I['’](?:m|ve|d|ll))(?=[\s,])/u;

/**
 * The peer key that a model means: the key itself, the key in other letters, or a name that only one
 * participant has. Unresolvable references come back unchanged and fail validation.
 */
export function resolvePeerReference(
  reference: string,
  people: readonly Pick<Participant, 'peerKey' | 'name'>[],
): string {
  const wanted = fold(reference);
  const byKey = people.filter((person) => person.peerKey === reference);
  const byFoldedKey = people.filter((person) => fold(person.peerKey) === wanted);
  const byName = people.filter((person) => fold(person.name) === wanted);
  for (const matches of [byKey, byFoldedKey, byName]) {
    const keys = new Set(matches.map((person) => person.peerKey));
    const [key] = keys;
    if (keys.size === 1 && key !== undefined) return key;
  }
  return reference;
}

/** Every peer a statement may be about: the participants, and the speakers of evidence in the window and the anchor. */
export function knownPeople(
  request: ExtractionRequest,
): readonly Pick<Participant, 'peerKey' | 'name'>[] {
  if (request.document != null) return request.participants;
  const speakers = [request.anchor, ...request.window]
    .filter((message) => isEvidenceRole(message.role))
    .map((message) => ({ peerKey: message.peerKey, name: message.peerName }));
  return [...request.participants, ...speakers];
}

/** Faults of the subject. `cited` are the cited messages that exist. */
export function subjectFaults(
  candidate: Candidate,
  request: ExtractionRequest,
  cited: readonly SourceMessage[],
): CandidateFault[] {
  return candidate.subjectType === 'scope'
    ? scopeFaults(candidate, request)
    : peerFaults(candidate, request, cited);
}

function scopeFaults(candidate: Candidate, request: ExtractionRequest): CandidateFault[] {
  const faults: CandidateFault[] = [];
  if (candidate.subjectRef !== request.scopePath) {
    faults.push({ field: 'subject_ref', code: 'subject_wrong_scope' });
  }
  if (candidate.sensitivity === 'restricted') {
    faults.push({ field: 'sensitivity', code: 'restricted_scope' });
  }
  if (FIRST_PERSON_SINGULAR.test(candidate.supportingSpan)) {
    faults.push({ field: 'subject_type', code: 'scope_from_first_person' });
  }
  return faults;
}

function peerFaults(
  candidate: Candidate,
  request: ExtractionRequest,
  cited: readonly SourceMessage[],
): CandidateFault[] {
  const { subjectRef, supportingSpan } = candidate;
  const person = knownPeople(request).find((known) => known.peerKey === subjectRef);
  if (person === undefined) return [{ field: 'subject_ref', code: 'unknown_subject' }];

  const isAgent = request.participants.some(
    (participant) => participant.peerKey === subjectRef && participant.kind === 'agent',
  );
  if (isAgent && !speaksAsItself(subjectRef, cited)) {
    return [{ field: 'subject_ref', code: 'subject_is_agent' }];
  }

  const faults: CandidateFault[] = [];
  if (namesCarrier(candidate, request)) {
    faults.push({ field: 'statement', code: 'statement_about_assistant' });
  }
  const speakers = cited.filter((message) => message.content.includes(supportingSpan));
  const isSpeaker =
    request.document == null && speakers.some((message) => message.peerKey === subjectRef);
  if (!isSpeaker && opensInFirstPerson(supportingSpan) && !mentions(supportingSpan, person)) {
    faults.push({ field: 'subject_ref', code: 'subject_not_speaker' });
  }
  return faults;
}

function speaksAsItself(peerKey: string, cited: readonly SourceMessage[]): boolean {
  return cited.some((message) => message.peerKey === peerKey && isEvidenceRole(message.role));
}

/** Whether the statement opens with an agent other than its subject. */
function namesCarrier(candidate: Candidate, request: ExtractionRequest): boolean {
  const statement = fold(candidate.statement);
  return request.participants.some(
    (participant) =>
      participant.kind === 'agent' &&
      participant.peerKey !== candidate.subjectRef &&
      [participant.peerKey, participant.name].some((name) => opensWith(statement, fold(name))),
  );
}

function opensWith(text: string, name: string): boolean {
  return name !== '' && text.startsWith(name) && !/^[\p{L}\p{N}]/u.test(text.slice(name.length));
}

/** A span may mention another person by name or, as in "my sister Ana", by a part of the name. */
function mentions(span: string, person: Pick<Participant, 'peerKey' | 'name'>): boolean {
  const folded = fold(span);
  return [person.peerKey, person.name, ...person.name.split(/\s+/u)]
    .map(fold)
    .some((name) => name.length > 1 && folded.includes(name));
}

function fold(text: string): string {
  return text.normalize('NFC').trim().toLowerCase();
}
