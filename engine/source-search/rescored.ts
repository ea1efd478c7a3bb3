/**
 * The second scoring of messages that the index of words found. It sees only what the reader may read: a message that is
 * hidden adds to no session, sets no best score, and its speaker is not named.
 */
import type { ChainReader } from '../../domain/governance/visibility.ts';
import { isEvidenceRole } from '../../domain/observations/roles.ts';
import { rescore, type RankedUnit } from '../../domain/ranking/rescore.ts';
import { roundScore } from '../../domain/ranking/sparse.ts';
import { messageReaders } from '../../domain/retrieval/message-search.ts';
import type { SpokenMessage } from '../../stores/postgres/observations/source-messages.store.ts';
import type { MessageHit } from '../../stores/qdrant/message-points.ts';
import { cuesOf, type QuestionReading } from '../text/ranked-question.ts';
import { rankedHits } from './ranked.ts';

export interface AskedWords {
  readonly reading: QuestionReading;
  /** The weight of the query's own words: a score divided by it is a share. */
  readonly total: number;
  readonly reader: ChainReader;
  readonly scopeIds: readonly string[];
}

/** The peer as whom the reader reads and who speaks among the messages; null where there is none. */
function askerAmong(
  speakers: ReadonlyMap<string, string>,
  { reader, scopeIds }: AskedWords,
): string | null {
  const peers = messageReaders(reader, scopeIds).flatMap(({ peerId }) => peerId ?? []);
  return peers.find((id) => speakers.has(id)) ?? null;
}

function unitOf({
  hit,
  message,
}: {
  readonly hit: MessageHit;
  readonly message: SpokenMessage;
}): RankedUnit {
  const { isWithAssistant, ...traits } = hit.traits;
  return {
    ...traits,
    sourceId: hit.messageId,
    score: hit.score,
    session: message.session_id,
    speaker: message.speaker_peer_id,
    order: hit.order,
    isToAssistant: isWithAssistant && isEvidenceRole(message.role),
  };
}

/**
 * The hits that may be read (`spoken`), each message once, best first, with scores between 0 and 1. Messages of one score
 * stand in the order in which they were said, then by id.
 */
export function rescored(
  hits: readonly MessageHit[],
  spoken: readonly SpokenMessage[],
  asked: AskedWords,
): readonly MessageHit[] {
  const { reading, total } = asked;
  const byId = new Map(spoken.map((message) => [message.id, message]));
  // Scores are rounded to 1e-3. Where every word of the query is common, they are far below that.
  const scale = Math.min(1, total);
  const found = rankedHits(hits, (score) => score / scale).flatMap((hit) => {
    const message = byId.get(hit.messageId);
    return message === undefined ? [] : [{ hit, message }];
  });
  const names = new Map(
    found.map(({ message }) => [message.speaker_peer_id, message.speaker_name] as const),
  );
  const speakers = Array.from(names, ([id, name]) => ({ id, name }));
  const cues = cuesOf(reading, speakers, askerAmong(names, asked));
  const hitOf = new Map(found.map(({ hit }) => [hit.messageId, hit]));
  return rescore(found.map(unitOf), cues).flatMap(({ score, sourceId }): MessageHit[] => {
    const hit = hitOf.get(sourceId);
    const shown = roundScore(Math.min(1, (score * scale) / total));
    return hit === undefined || shown <= 0 ? [] : [{ ...hit, score: shown }];
  });
}
