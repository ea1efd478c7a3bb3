/** The statements of a pass, read from the statuses of its messages, and how another pass changed them. */
import type { IngestStatus, Statement } from './client.ts';

/** Every statement that the statuses name, once. */
export function statementsOf(statuses: readonly IngestStatus[]): ReadonlyMap<string, Statement> {
  return new Map(
    statuses.flatMap(({ knowledge }) => knowledge.map((row) => [row.id, row] as const)),
  );
}

/** How many of the messages are cited by a statement. */
export function citedCount(
  statements: ReadonlyMap<string, Statement>,
  messageIds: readonly string[],
): number {
  const cited = new Set([...statements.values()].flatMap((row) => row.source_message_ids));
  return messageIds.filter((id) => cited.has(id)).length;
}

export interface Changes {
  readonly added: number;
  readonly corroborationChanged: number;
}

/** Counts new statements, and old ones that more or fewer people attest now. */
export function changesBetween(
  before: ReadonlyMap<string, Statement>,
  after: ReadonlyMap<string, Statement>,
): Changes {
  const both = [...after.values()].filter(({ id }) => before.has(id));
  return {
    added: after.size - both.length,
    corroborationChanged: both.filter(
      (row) => before.get(row.id)?.corroboration_count !== row.corroboration_count,
    ).length,
  };
}
