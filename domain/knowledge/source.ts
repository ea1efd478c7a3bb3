/** A message as a source: what makes two of them one, and whose word they are. */

/** A message that a statement cites. Times are ISO 8601 UTC, hashes lower-case hex. */
export interface Source {
  readonly messageId: string;
  readonly sessionId: string;
  readonly scopeId: string;
  readonly speakerId: string;
  /** The peer whose credential carried the turn for its speaker; null when nobody did. */
  readonly relayId: string | null;
  readonly occurredAt: string;
  readonly contentHash: string;
  /** The document that the message is a chunk of, whichever version; null for what somebody said. */
  readonly documentId?: string | null;
}

/**
 * What makes two messages one source: the same session, speaker, time and content. A second message of the
 * same identity is a re-send; it is stored, cited, and attests nothing new.
 */
export function sourceIdentity(
  source: Pick<Source, 'sessionId' | 'speakerId' | 'occurredAt' | 'contentHash'>,
): string {
  return `${source.sessionId}|${source.speakerId}|${source.occurredAt}|${source.contentHash}`;
}

/** Whose word a source is: a document's, or its speaker's. Whoever relayed or uploaded it attests nothing. */
export function attestedBy({ documentId, speakerId }: Source): string {
  return documentId ?? speakerId;
}

/** The speakers of the sources and the peers that relayed them, each once, sorted. */
export function submittersOf(sources: readonly Source[]): readonly string[] {
  const peers = sources.flatMap(({ speakerId, relayId }) =>
    relayId === null ? [speakerId] : [speakerId, relayId],
  );
  return [...new Set(peers)].toSorted();
}

/** Order of code units, the same in every locale. */
export function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
