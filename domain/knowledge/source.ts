/** A message as a source: when two messages are one source, and who or what attests by it. */

/** A message that a statement cites. Times are ISO 8601 UTC, hashes lower-case hex. */
export interface Source {
  readonly messageId: string;
  readonly sessionId: string;
  readonly scopeId: string;
  readonly speakerId: string;
  /** The peer whose credential carried the turn for its speaker; null without a relay. */
  readonly relayId: string | null;
  readonly occurredAt: string;
  readonly contentHash: string;
  /** The document that the message is a chunk of, in whichever version; null for what a peer said. */
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

/** What attests by the source: its document, else its speaker. Its relay or uploader attests nothing. */
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
