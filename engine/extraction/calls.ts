/** From the anchors of a session to the calls that ask about them. */
import { groupIntoCalls, type BatchingParameters } from '../../domain/extraction/batching.ts';
import { isEvidenceRole } from '../../domain/observations/roles.ts';
import { messageTokens } from './model/fit-context.ts';
import { place, toSourceMessage, type LoadedAnchor } from './window.ts';

function isEvidence({ message }: LoadedAnchor): boolean {
  return isEvidenceRole(message.role);
}

/** Each chunk of a document names people of its own, and is understood without its neighbours. */
function isChunk({ message }: LoadedAnchor): boolean {
  return message.document !== null;
}

/** The groups that may be asked about side by side: each session, and each chunk of a document by itself. */
export function sideBySide(anchors: readonly LoadedAnchor[]): readonly (readonly LoadedAnchor[])[] {
  const groups = Map.groupBy(anchors, (anchor) =>
    isChunk(anchor) ? anchor.messageId : anchor.message.session_id,
  );
  return [...groups.values()];
}

/**
 * The anchors of one session, in the order in which they are settled: anchors that are no evidence first, because
 * they need no call, then the calls in the order of the conversation. Chunks of a document share no call.
 */
export function callsOf(
  session: readonly LoadedAnchor[],
  batching: BatchingParameters,
): readonly (readonly LoadedAnchor[])[] {
  const silent = session.filter((anchor) => !isEvidence(anchor)).map((anchor) => [anchor]);
  const evidence = session.filter(isEvidence);
  const isAlone = batching.anchors <= 1 || evidence.some(isChunk);
  if (isAlone) return [...silent, ...evidence.map((anchor) => [anchor])];
  const shown = evidence.flatMap(({ message, window }) => [...window, message]);
  const tokens = new Map(shown.map((row) => [row.id, messageTokens(toSourceMessage(row))]));
  const batchable = evidence.map((anchor) => ({
    anchor,
    place: `${place(anchor.message)}/${anchor.message.audience?.id ?? ''}`,
    shown: [...anchor.window.map(({ id }) => id), anchor.messageId],
    readable: anchor.readable,
    // An anchor that may have ended a process shares no call.
    failedAttempts: anchor.lostHolds > 1 ? Infinity : anchor.attemptCount,
  }));
  const groups = groupIntoCalls(batchable, batching, (id) => tokens.get(id) ?? Infinity);
  return [...silent, ...groups.map((group) => group.map(({ anchor }) => anchor))];
}
