/** Questions to people beside reads, by how asking ended. */
import { Counter, type Registry } from 'prom-client';
import { ASKING_OUTCOMES, type AskingOutcome } from '../../engine/questions/asking.ts';

/** Called with the end of every asking. Must not throw. */
export type OnAsked = (outcome: AskingOutcome) => void;

export function createQuestionMetrics(registry: Registry): OnAsked {
  const total = new Counter({
    name: 'vouch_questions_total',
    help: 'Reads in a session that looked for a question to their reader: asked one, found none, went on without waiting, or failed to look.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ASKING_OUTCOMES) total.inc({ outcome }, 0);
  return (outcome) => total.inc({ outcome });
}
