/** Builds the answerer of a process. */
import { createAnswerer, type Answer } from '../../engine/answers/answerer.ts';
import type { AnswerObserver } from '../../engine/answers/observer.ts';
import type { ModelGateway } from '../../engine/models/gateway.ts';

export function buildAnswer(gateway: ModelGateway, observer: AnswerObserver | undefined): Answer {
  return createAnswerer({ gateway, now: () => performance.now(), observer });
}
