/** Turns the rows of a batch that a drain holds into requests to an extractor. */
import { peopleNamedIn } from '../../domain/extraction/named-people.ts';
import type {
  DocumentContext,
  ExtractionRequest,
  Participant,
  SourceMessage,
} from '../../domain/statements/candidate.ts';
import type { Source } from '../../domain/statements/source.ts';
import type {
  BatchRows,
  MessageRow,
  ParticipantRow,
} from '../../stores/postgres/observations/anchors.store.ts';

/** An anchor with its window, resolved. */
export interface LoadedAnchor {
  readonly messageId: string;
  /** Settled attempts before this one. */
  readonly attemptCount: number;
  /** The number of those attempts that a defect of this service ended. */
  readonly internalErrors: number;
  /** Holds in a row before this one that no drain settled or gave back. */
  readonly lostHolds: number;
  readonly message: MessageRow;
  /** Up to five earlier messages that the anchor's speaker could read, oldest first. */
  readonly window: readonly MessageRow[];
  readonly participants: readonly ParticipantRow[];
  /** The messages of the batch, in this session and scope, that the anchor's speaker could read. */
  readonly readable: ReadonlySet<string>;
  readonly scopePath: string;
  /** Set when an earlier drain committed its statements: only indexing and completion are left. */
  readonly extracted: { readonly knowledgeIds: readonly string[] } | null;
}

export const place = (row: { readonly session_id: string; readonly scope_id: string }): string =>
  `${row.session_id}/${row.scope_id}`;

/** The anchors of the batch in the order of `messageIds`; those that the drain lost are left out. */
export function resolveAnchors(rows: BatchRows, messageIds: readonly string[]): LoadedAnchor[] {
  const anchors = new Map(rows.anchors.map((anchor) => [anchor.message_id, anchor]));
  const messages = new Map(rows.messages.map((message) => [message.id, message]));
  const paths = new Map(rows.paths.map(({ scope_id: id, path }) => [id, path]));
  const participants = Map.groupBy(rows.participants, place);
  const readable = new Map(
    rows.readers.map((row) => [`${place(row)}/${row.peer_id}`, new Set(row.message_ids)]),
  );
  return messageIds.flatMap((messageId): LoadedAnchor[] => {
    const anchor = anchors.get(messageId);
    const message = messages.get(messageId);
    const scopePath = message && paths.get(message.scope_id);
    if (anchor === undefined || message === undefined || scopePath === undefined) return [];
    return [
      {
        messageId,
        attemptCount: anchor.attempt_count,
        internalErrors: anchor.internal_errors,
        lostHolds: anchor.lost_holds,
        message,
        window: anchor.window_ids.flatMap((id) => messages.get(id) ?? []),
        participants:
          message.document === null
            ? (participants.get(place(message)) ?? [])
            : namedPeople(rows, message),
        readable: readable.get(`${place(message)}/${message.speaker_id}`) ?? new Set<string>(),
        scopePath,
        extracted: anchor.extracted ? { knowledgeIds: anchor.output_ids } : null,
      },
    ];
  });
}

/** The people that a chunk or the headings above it name. */
function namedPeople(rows: BatchRows, { id, ...chunk }: MessageRow): readonly ParticipantRow[] {
  const { session_id, scope_id, content, document } = chunk;
  const candidates = rows.named.filter(({ message_id: messageId }) => messageId === id);
  return peopleNamedIn(`${document?.headings ?? ''}\n${content}`, candidates).map((person) => ({
    session_id,
    scope_id,
    peer_id: person.peer_id,
    key: person.key,
    name: person.name,
    kind: 'human',
  }));
}

function toDocument({ document }: MessageRow): DocumentContext | null {
  if (document === null) return null;
  return { title: document.title, headings: document.headings?.split('\n') ?? [] };
}

export function toSourceMessage(row: MessageRow): SourceMessage {
  return {
    id: row.id,
    content: row.content,
    role: row.role,
    peerKey: row.speaker_key,
    peerName: row.speaker_name,
    occurredAt: row.occurred_at,
    occurredOffsetMinutes: row.occurred_offset_minutes,
  };
}

function toParticipant(row: ParticipantRow): Participant {
  return { peerKey: row.key, name: row.name, kind: row.kind };
}

export function extractionRequest(anchor: LoadedAnchor): ExtractionRequest {
  return {
    scopePath: anchor.scopePath,
    anchor: toSourceMessage(anchor.message),
    window: anchor.window.map(toSourceMessage),
    participants: anchor.participants.map(toParticipant),
    document: toDocument(anchor.message),
  };
}

/** The message as evidence. */
export function toSource(row: MessageRow): Source {
  return {
    messageId: row.id,
    sessionId: row.session_id,
    scopeId: row.scope_id,
    speakerId: row.speaker_id,
    relayId: row.relay_id,
    occurredAt: row.occurred_at,
    saidAt: row.said_at,
    contentHash: row.content_hash,
    documentId: row.document?.id ?? null,
  };
}
