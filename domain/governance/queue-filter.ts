/** Which part of the queue answers a page: a queue of its own, or a longer one that a filter goes through. */
import type { ItemKind, OpenItemState } from './items.ts';

export interface QueueFilter {
  readonly kind: ItemKind | null;
  /** Null: whatever open state. */
  readonly state: OpenItemState | null;
  readonly subjectPeerId: string | null;
  readonly order: 'due' | 'newest';
}

/** The kind whose own queue is read; null: the queue of all kinds. Items of one kind stand in the order of dates only. */
export function queueOfKind({ kind, order }: QueueFilter): ItemKind | null {
  return order === 'due' ? kind : null;
}

/** Whether the page looks at items that it may leave out. */
export function isFiltered(filter: QueueFilter): boolean {
  const { kind, state, subjectPeerId } = filter;
  return state !== null || subjectPeerId !== null || kind !== queueOfKind(filter);
}
