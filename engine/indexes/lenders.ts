/** What lends words to the units of a batch: the turns around messages, and the sources of statements. */
import { MOST_LISTED } from '../../domain/retrieval/listed.ts';
import type { Neighbour } from '../../stores/postgres/indexes/neighbours.store.ts';
import type { StatementSource } from '../../stores/postgres/indexes/statement-sources.store.ts';
import type { Stores } from '../../stores/postgres/stores.ts';
import type { MessageUnit } from '../../stores/postgres/indexes/units.store.ts';
import type { LendingSource } from '../analysis/statement.ts';
import type { Surroundings, Turn } from '../analysis/surroundings.ts';

export interface Lenders {
  /** By the message that they stand beside, the nearest first. */
  readonly neighbours: ReadonlyMap<string, readonly Neighbour[]>;
  /** By statement. */
  readonly sources: ReadonlyMap<string, readonly StatementSource[]>;
}

/** Reads them, after the units themselves: what is said meanwhile marks these again. Two queries. */
export async function readLenders(
  stores: Stores,
  ids: Readonly<Record<'statement' | 'message', readonly string[]>>,
): Promise<Lenders> {
  const sources = await stores.statementSources.of(ids.statement);
  const messageIds = new Set([...ids.message, ...sources.map((source) => source.message_id)]);
  const neighbours = await stores.neighbours.of([...messageIds]);
  return {
    neighbours: Map.groupBy(neighbours, ({ beside }) => beside),
    sources: Map.groupBy(sources, (source) => source.knowledge_id),
  };
}

/** The turns on one side of a message. */
function turnsOf(neighbours: readonly Neighbour[], side: 'before' | 'after'): (Turn | null)[] {
  return neighbours
    .filter(({ distance }) => (side === 'before' ? distance < 0 : distance > 0))
    .map(({ content: text, role, speaker_peer_id: speaker }) =>
      text === null ? null : { text, role, speaker },
    );
}

const withoutText = (turn: Turn | null): Turn | null => turn && { ...turn, text: '' };

/** What stands around a message; null of a chunk. */
export function surroundingsOf(unit: MessageUnit, { neighbours }: Lenders): Surroundings | null {
  if (unit.is_chunk) return null;
  const beside = neighbours.get(unit.id) ?? [];
  return {
    speaker: unit.speaker_peer_id,
    speakerName: unit.speaker_name,
    role: unit.role,
    at: Date.parse(unit.occurred_at),
    offsetMinutes: unit.occurred_offset_minutes,
    before: turnsOf(beside, 'before'),
    after: turnsOf(beside, 'after'),
  };
}

export interface LendingSources {
  readonly sources: readonly LendingSource[];
  /** Peers who read all of them; at least one. */
  readonly readers: readonly string[];
}

/**
 * The sources that lend words to a statement; null where none does. A source with more readers than an index is told of
 * lends none to anything that is read on its own: nobody could be told apart.
 */
export function sourcesOf(statementId: string, lenders: Lenders): LendingSources | null {
  const rows = lenders.sources.get(statementId) ?? [];
  const lists = rows.map((row) => row.reader_peer_ids);
  if (rows.length === 0 || lists.some((list) => list.length > MOST_LISTED)) return null;
  const [first = [], ...others] = lists;
  const readers = first.filter((id) => others.every((list) => list.includes(id)));
  if (readers.length === 0) return null;
  const sources = rows.map((row): LendingSource => ({
    text: row.content,
    role: row.role,
    speaker: row.speaker_peer_id,
    at: Date.parse(row.occurred_at),
    offsetMinutes: row.occurred_offset_minutes,
    before: turnsOf(lenders.neighbours.get(row.message_id) ?? [], 'before'),
    // Read for their roles alone.
    after: turnsOf(lenders.neighbours.get(row.message_id) ?? [], 'after').map(withoutText),
  }));
  return { sources, readers };
}
