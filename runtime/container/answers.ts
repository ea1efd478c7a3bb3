/** Builds the answerer of a process. */
import { createHmac } from 'node:crypto';
import { createAnswerer } from '../../engine/answers/answerer.ts';
import { answerExtractively } from '../../engine/answers/extractive.ts';
import type { AnswerObserver, RecallObserver } from '../../engine/answers/observer.ts';
import { createRecall } from '../../engine/answers/recall/recall.ts';
import type { ModelGateway } from '../../engine/models/gateway.ts';
import type { Environment } from '../../operations/environment/environment.ts';

/** Hex digits of a hash of a query: enough to tell the queries of an account apart. */
const HASH_DIGITS = 16;

const now = (): number => performance.now();

/** `hashKey` is the key of the hashes by which a recall tells of its queries. */
export function buildAnswers(
  gateway: ModelGateway,
  hashKey: Uint8Array,
  observer: (AnswerObserver & RecallObserver) | undefined,
): Pick<Environment, 'answer' | 'recall'> {
  const hash = (accountId: string, query: string): string =>
    createHmac('sha256', hashKey)
      .update(JSON.stringify([accountId, query]))
      .digest('hex')
      .slice(0, HASH_DIGITS);
  return {
    answer: createAnswerer({ gateway, answerInProcess: answerExtractively, now, observer }),
    recall: createRecall({ gateway, hash, now, observer }),
  };
}
