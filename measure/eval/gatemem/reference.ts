/** What BM25 hands over: over everything, the bar for usefulness, and over what the mapping lets the asker read. */
import type { GatememCheckpoint, GatememTurn } from '../../data/gatemem.ts';
import { plainStemsOf, referenceRanker } from '../rank/reference.ts';
import type { Evidence } from './evidence.ts';

/** The best turns said before the checkpoint, of those that are visible, as messages. */
export function referenceEvidence(
  { after, question }: GatememCheckpoint,
  turns: readonly GatememTurn[],
  limit: number,
  isVisible: (turn: number) => boolean = () => true,
): Evidence {
  const messages = turns
    .slice(0, after)
    .map(({ text }, place) => ({ id: String(place), content: text }))
    .filter(({ id }) => isVisible(Number(id)));
  const rank = referenceRanker({ messages }, plainStemsOf);
  const items = rank(question)
    .slice(0, limit)
    .map((id) => ({
      kind: 'message' as const,
      text: turns[Number(id)]?.text ?? '',
      turns: [Number(id)],
    }));
  return { items, answer: { text: '', abstained: true, citations: [] }, isComplete: true };
}
