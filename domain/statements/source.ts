/** A message as a source: when two messages are one source, and which speaker or document attests by it. */
import type { Span } from '../text/span.ts';

/** The output of an extractor for a message that it cites. The service keeps the first output. */
export interface Support {
  /**
   * The text of the statement as the proposal worded it; content. Null where nothing is kept (`LONGEST_WORDING`), and
   * where the words may be those of several speakers.
   */
  readonly wording: string | null;
  /** The passage of the message that supports the statement; null if another message does. */
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
  /** When it counts as said, if its sender's clock ran ahead; absent where that is `occurredAt`. */
  readonly saidAt?: string;
  readonly contentHash: string;
  /** The document that the message is a chunk of, in whichever version; null for what a peer said. */
  readonly documentId?: string | null;
  /** Absent where nothing was put out for it, as for statements edited or imported by hand. */
  readonly support?: Support;
  /** It only explains the statement, as a question explains its answer: it attests nothing. */
  readonly isContext?: boolean;
}

/**
 * The identity of a source: session, speaker, time and content. A second message of the same identity is a re-send. The
 * service stores and cites it, but it attests nothing new.
 */
export function sourceIdentity(
  source: Pick<Source, 'sessionId' | 'speakerId' | 'occurredAt' | 'contentHash'>,
): string {
  return `${source.sessionId}|${source.speakerId}|${source.occurredAt}|${source.contentHash}`;
}

/** The attester of the source: its document, else its speaker. Its relay or uploader attests nothing. */
export function attestedBy({ documentId, speakerId }: Source): string {
  return documentId ?? speakerId;
}

/** Whether it says the statement, and does not only explain it. */
export function attests({ isContext = false }: Pick<Source, 'isContext'>): boolean {
  return !isContext;
}

/** The speakers of the sources that attest and the peers that relayed them, each once, sorted. */
export function submittersOf(sources: readonly Source[]): readonly string[] {
  const peers = sources
    .filter(attests)
    .flatMap(({ speakerId, relayId }) => (relayId === null ? [speakerId] : [speakerId, relayId]));
  return [...new Set(peers)].toSorted();
}

/** Order of code units, the same in every locale. */
export function compareWords(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
