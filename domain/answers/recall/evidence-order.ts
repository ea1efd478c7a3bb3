/** The order of the evidence that an answerer is shown after a recall. */
import type { AdmittedEvidence, EvidenceItem, EvidenceOrigin } from '../evidence.ts';

/**
 * The first `head` of the candidates, what tools added, and further candidates until there are `limit` items. No id
 * occurs twice: its first place counts.
 */
export function evidenceOrder(
  candidates: readonly EvidenceItem[],
  added: readonly EvidenceItem[],
  { head, limit }: { readonly head: number; readonly limit: number },
): readonly AdmittedEvidence[] {
  const found = new Map<string, AdmittedEvidence>();
  const admit = (items: readonly EvidenceItem[], origin: EvidenceOrigin): void => {
    for (const item of items) if (!found.has(item.id)) found.set(item.id, { ...item, origin });
  };
  admit(candidates.slice(0, head), 'head');
  admit(added, 'tool');
  for (const item of candidates.slice(head)) {
    if (found.size >= limit) break;
    admit([item], 'tail');
  }
  return [...found.values()];
}
