/** Where a statement comes from, and what follows from it: who submitted it and how many attest it. */

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
export function sourceIdentity(source: Source): string {
  return `${source.sessionId}|${source.speakerId}|${source.occurredAt}|${source.contentHash}`;
}

/** Whether the very source, or an earlier sending of it, is among `sources`. */
export function includesSource(sources: readonly Source[], source: Source): boolean {
  const identity = sourceIdentity(source);
  return sources.some((known) => sourceIdentity(known) === identity);
}

/** Whose word a source is: a document's, or its speaker's. Whoever relayed or uploaded it attests nothing. */
export function attestedBy({ documentId, speakerId }: Source): string {
  return documentId ?? speakerId;
}

/** Number of distinct speakers and documents. */
export function corroborationOf(sources: readonly Source[]): number {
  return new Set(sources.map(attestedBy)).size;
}

/** The speakers of the sources and the peers that relayed them, each once, sorted. */
export function submittersOf(sources: readonly Source[]): readonly string[] {
  const peers = sources.flatMap(({ speakerId, relayId }) =>
    relayId === null ? [speakerId] : [speakerId, relayId],
  );
  return [...new Set(peers)].toSorted();
}

/** Both lists as one, each message once, in a fixed order. */
export function unionOfSources(a: readonly Source[], b: readonly Source[]): readonly Source[] {
  const byMessage = new Map([...a, ...b].map((source) => [source.messageId, source]));
  return [...byMessage.values()].toSorted((x, y) => compareWords(x.messageId, y.messageId));
}

/** Order of code units, the same in every locale. */
export function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
