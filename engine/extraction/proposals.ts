/**
 * Turns graded candidates into proposals: names become ids, and candidates that the service cannot hold are left out.
 * The content of a candidate was validated where it was extracted; here only its references are resolved.
 */
import type { GradedCandidate } from '../../domain/statements/confidence.ts';
import { saidOf } from '../../domain/statements/said.ts';
import type { AttributeClaim } from '../../domain/statements/attributes.ts';
import type { Proposal, Subject, Wording } from '../../domain/statements/statement.ts';
import { attestedBy, LONGEST_WORDING, type Source } from '../../domain/statements/source.ts';
import { isEmptyWindow } from '../../domain/statements/statement.ts';
import { isEvidenceRole } from '../../domain/observations/roles.ts';
import type { ExtractionIdentity } from '../../domain/models/identity.ts';
import { spanFinder, type Span } from '../../domain/text/span.ts';
import { withoutUnseen } from '../../domain/text/unseen.ts';
import type { MessageRow } from '../../stores/postgres/observations/anchors.store.ts';
import { claimOf, statementHashOf } from '../knowledge/claims.ts';
import { toSource, type LoadedAnchor } from './window.ts';

/**
 * The proposals of one anchor, in the order of its candidates. A candidate is left out when its subject is no
 * participant, an agent other than the speaker, or a scope other than the message's. It is also left out when it is
 * restricted and about a scope, has an empty window, or holds no word.
 */
export function proposalsOf(
  anchor: LoadedAnchor,
  candidates: readonly GradedCandidate[],
  identity: ExtractionIdentity,
): Proposal[] {
  const locate = locator();
  return candidates.flatMap((given): Proposal[] => {
    // A statement quotes what people sent, which may hold marks that make it read otherwise than it is stored.
    const candidate = { ...given, statement: withoutUnseen(given.statement) };
    const subject = subjectOf(anchor, candidate);
    const wording = wordingOf(anchor, candidate, identity);
    const statementHash = statementHashOf(candidate.statement);
    if (subject === null || statementHash === null || isEmptyWindow(wording)) return [];
    const { sensitivity, confidence, evidenceLevel } = candidate;
    if (subject.type === 'scope' && sensitivity === 'restricted') return [];
    const { audience } = anchor.message;
    return [
      {
        anchorId: anchor.messageId,
        scopeId: anchor.message.scope_id,
        audience,
        subject,
        statementHash,
        wording,
        // What is restricted, or for some readers only, is never proposed for more of them.
        targetLevel:
          sensitivity === 'restricted' || audience !== null ? 'peer' : candidate.targetLevel,
        sensitivity,
        confidence,
        evidenceLevel,
        sources: sourcesOf(anchor, candidate, locate),
      },
    ];
  });
}

/** The statement's claim about an attribute of its subject. Only people have attributes. */
function attributeClaimOf(
  anchor: LoadedAnchor,
  { statement, subjectRef }: GradedCandidate,
): AttributeClaim | null {
  const peer = anchor.participants.find(({ key }) => key === subjectRef);
  return peer === undefined ? null : claimOf(statement, [peer.name, peer.key]);
}

function subjectOf(anchor: LoadedAnchor, candidate: GradedCandidate): Subject | null {
  const { subjectRef, subjectType } = candidate;
  if (subjectType === 'scope') {
    return subjectRef === anchor.scopePath ? { type: 'scope', id: anchor.message.scope_id } : null;
  }
  const peer = anchor.participants.find(({ key }) => key === subjectRef);
  if (peer === undefined) return null;
  const speaksForItself =
    anchor.message.document === null && peer.peer_id === anchor.message.speaker_id;
  return peer.kind === 'human' || speaksForItself ? { type: 'peer', id: peer.peer_id } : null;
}

/** Finds a part of a message, which is read once for all parts that are looked for. */
type Locate = (message: MessageRow, part: string) => Span | null;

function locator(): Locate {
  const finders = new Map<string, ReturnType<typeof spanFinder>>();
  return ({ content, id }, part) => {
    const find = finders.get(id) ?? spanFinder(content);
    finders.set(id, find);
    return find(part);
  };
}

/**
 * The anchor, and those earlier messages of the window that the candidate cites and that are evidence. If one speaker
 * said all of them, the candidate's text is the wording of each. A message of another speaker without the span only explains.
 */
function sourcesOf(
  anchor: LoadedAnchor,
  { sourceMessageIds, statement, supportingSpan }: GradedCandidate,
  locate: Locate,
): [Source, ...Source[]] {
  const cited = new Set(sourceMessageIds);
  const beside = anchor.window.filter(({ id, role }) => cited.has(id) && isEvidenceRole(role));
  const said = [anchor.message, ...beside].map(toSource);
  const isOneSpeakers = new Set(said.map(attestedBy)).size === 1;
  const wording = isOneSpeakers && statement.length <= LONGEST_WORDING ? statement : null;
  const sourceOf = (message: MessageRow): Source => {
    const span = locate(message, supportingSpan);
    const isOthers = message.speaker_id !== anchor.message.speaker_id;
    return {
      ...toSource(message),
      support: { wording, span },
      isContext: isOthers && span === null,
    };
  };
  return [sourceOf(anchor.message), ...beside.map(sourceOf)];
}

function wordingOf(
  anchor: LoadedAnchor,
  candidate: GradedCandidate,
  identity: ExtractionIdentity,
): Wording {
  // The date of a document does not tell when its content was true, so its statements have no window.
  const isDated = anchor.message.document === null;
  return {
    text: candidate.statement,
    ...saidOf(candidate),
    claim: candidate.subjectType === 'peer' ? attributeClaimOf(anchor, candidate) : null,
    relevantFrom: isDated ? candidate.relevantFrom : null,
    relevantUntil: isDated ? candidate.relevantUntil : null,
    occurredAt: anchor.message.said_at,
    sourceHash: anchor.message.content_hash,
    identity,
  };
}
