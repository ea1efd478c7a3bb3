/** One step of lineage: what a statement was made from, as evidence. */
import type { EvidenceItem } from '../../../domain/answers/evidence.ts';
import { visibleInLineage } from '../../../domain/governance/visibility.ts';
import { walkLineage } from '../../../domain/lineage/lineage.ts';
import type { Stores } from '../../../stores/postgres/stores.ts';
import type { MadeSearch } from '../searching.ts';
import { statementsById } from './by-id.ts';
import { EXCERPT_CHARS, messageEvidence } from './messages.ts';
import { readForEvidence } from './read.ts';
import type { RecallScope } from './recall-scope.ts';

const ONE_STEP = { maxDepth: 1, maxFanOut: 8, maxNodes: 9 };

async function messages(
  stores: Stores,
  { request: { asOf, reader, scopeIds } }: MadeSearch,
  ids: readonly string[],
): Promise<readonly EvidenceItem[]> {
  if (ids.length === 0) return [];
  const rows = await stores.sourceMessages.read(
    ids.map((id) => ({ id, beginsAt: null })),
    { reader, scopeIds, recordedBy: asOf },
    { part: 'around', before: 0, length: EXCERPT_CHARS, unplaced: EXCERPT_CHARS },
    ids.length,
  );
  return rows.flatMap(({ message_id: id, text, ...row }) => {
    if (text === null) return [];
    const { occurred_at, peer_key, peer_name, role, scope_path } = row;
    const spoken = { peerKey: peer_key, peerName: peer_name, role, occurredAt: occurred_at };
    const shown = row.is_cut_after ? `${text.slice(0, -1).toWellFormed()}…` : text;
    return [messageEvidence(id, shown, scope_path, spoken, 0)];
  });
}

/**
 * The sources of the statement that the reader may see: statements, and messages where the caller lets a recall read
 * messages. Superseded ones are no evidence, although lineage shows them.
 */
export function sourcesOf(
  { context, made, signal }: RecallScope,
  id: string,
  withMessages: boolean,
): Promise<readonly EvidenceItem[]> {
  const { now, reader, scopeIds } = made.request;
  const visibility = visibleInLineage({ scopeIds, reader, at: now.toISOString() });
  const read = { scopeIds, reader, visibility };
  const root = { type: 'knowledge', id } as const;
  return readForEvidence(context, signal, async (stores) => {
    const lineage = await walkLineage(root, ONE_STEP, (targets, most) =>
      stores.lineage.facts(targets, most, read),
    );
    const sources = (lineage?.nodes ?? []).filter((node) => node.traversalDepth === 1);
    const ofType = (type: 'knowledge' | 'message'): string[] =>
      sources.filter((node) => node.type === type).map((node) => node.id);
    return [
      ...(await statementsById(stores, made, ofType('knowledge'))),
      ...(withMessages ? await messages(stores, made, ofType('message')) : []),
    ];
  });
}
