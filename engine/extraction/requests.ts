/** Requests to forget among the outcomes of extractions. */
import { parseScopePath } from '../../domain/scopes/path.ts';
import { requestsToForget } from '../english-extractor/meant.ts';
import { valuesToForget } from '../english-extractor/values-to-forget.ts';
import type { ForgetRequest } from '../forgetting/open.ts';
import type { LoadedAnchor } from './window.ts';

/** What the speaker of the anchor asks to be forgotten; nothing where it does not ask. */
export function requestOf({
  message,
  messageId,
  scopePath: path,
}: LoadedAnchor): readonly ForgetRequest[] {
  const scopePath = parseScopePath(path);
  if (scopePath === null || message.document !== null) return [];
  const withdrawals = valuesToForget(message.content);
  if (withdrawals.length === 0 && requestsToForget(message.content).length === 0) return [];
  return [
    {
      messageId,
      requesterId: message.speaker_id,
      scopeId: message.scope_id,
      scopePath,
      content: message.content,
      withdrawals,
    },
  ];
}
