/** The statements of the reader's stable profile, as evidence. */
import type { EvidenceItem } from '../../../domain/answers/evidence.ts';
import { readStableProfile } from '../../../engine/retrieval/stable-profile.ts';
import { statementsById } from './by-id.ts';
import { readForEvidence } from './read.ts';
import type { RecallScope } from './recall-scope.ts';

export function profileStatements({
  context,
  made,
  signal,
}: RecallScope): Promise<readonly EvidenceItem[]> {
  const { now, openings, reader, scopeIds } = made.request;
  return readForEvidence(context, signal, async (stores) => {
    const at = now.toISOString();
    const { items } = await readStableProfile(stores, { scopeIds, openings, reader, at });
    const ids = items.map(({ knowledgeId }) => knowledgeId);
    return statementsById(stores, made, ids);
  });
}
