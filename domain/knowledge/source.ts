/** A message as a source: when two messages are one source, and who or what attests by it. */
import type { Span } from '../text/span.ts';

/** What an extractor put out for a message that it cites. It is kept as it was put out first. */
export interface Support {
  /**
   * The text of the statement as the proposal worded it; content. Null where nothing is kept (`LONGEST_WORDING`), and
   * where the words may be those of several speakers.
   */
  readonly wording: string | null;
  /** Where the message holds what supports the statement; null where another message does. */
  readonly span: Span | null;
}

/** Characters (UTF-16 code units) of the longest wording that is kept. */
export const LONGEST_WORDING = 4_000;

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
  /** Absent where nothing was put out for it, as for statements edited or imported by hand. */
  readonly support?: Support;
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
