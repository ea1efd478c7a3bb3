/** Messages that a recall finds, for a reader who was there. */
import type { EvidenceItem, Spoken } from '../../../domain/answers/evidence.ts';
import type { SourceMode } from '../../../domain/retrieval/source-status.ts';
import type { RecallScope } from './recall-scope.ts';

/** Messages that one search takes. */
const MOST_MESSAGES = 12;
/** Of an excerpt, as people count characters. */
export const EXCERPT_CHARS = 480;

const NO_WINDOW = { from: null, until: null };

/** A message as evidence: it is cited by its own id, and nobody has judged what it says. */
export function messageEvidence(
  id: string,
  text: string,
  scopePath: string,
  spoken: Spoken,
  score: number,
): EvidenceItem {
  return {
    id,
    type: 'source_message',
    text,
    scopePath,
    sourceMessageIds: [id],
    validity: NO_WINDOW,
    level: 'message',
    isProvisional: false,
    score,
    subjectPeerId: null,
    subjectName: null,
    claim: null,
    spoken,
  };
}

/** What the source search finds, best first; null when it failed. */
export async function foundMessages(
  { context, includesQuestions, made: { request }, signal }: RecallScope,
  query: string,
  mode: SourceMode,
): Promise<readonly EvidenceItem[] | null> {
  const { accountId, asOf, reader, scopeIds, traceId } = request;
  const { results, status } = await context.sourceSearch({
    accountId,
    scopeIds,
    reader,
    query,
    mode,
    limit: MOST_MESSAGES,
    excerptChars: EXCERPT_CHARS,
    includesQuestions,
    recordedBy: asOf,
    traceId,
    signal,
  });
  if (status === 'failed' || status === 'unavailable') return null;
  return results.map(({ excerpt, message, score }) => {
    const { message_id: id, occurred_at, peer_key, peer_name, role, scope_path } = message;
    const spoken = { peerKey: peer_key, peerName: peer_name, role, occurredAt: occurred_at };
    return messageEvidence(id, excerpt, scope_path, spoken, score);
  });
}
