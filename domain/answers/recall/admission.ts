/** Which of the items that the calls of a recall found are shown to the answerer, within its bounds. */
import type { EvidenceItem } from '../evidence.ts';
import { tokensOf, type RecallBound } from './caps.ts';
import { withExhausted, type RecallState } from './state.ts';

/** What one call found, best first, and how much it counts beside the other calls. */
export interface FoundList {
  readonly weight: number;
  readonly items: readonly EvidenceItem[];
}

/** Ranks are fused and no scores: tools share no scale, and some of them have no score. */
const RANK_CONSTANT = 60;

/**
 * The items of all calls, best first: by the sum of `weight / (60 + rank)` (reciprocal rank fusion; Cormack, Clarke and
 * Büttcher, 2009). Of equal ones that of the earlier call is first.
 */
export function fusedItems(lists: readonly FoundList[]): readonly EvidenceItem[] {
  const found = new Map<string, { readonly item: EvidenceItem; sum: number }>();
  for (const { items, weight } of lists) {
    const inList = new Set<string>();
    for (const item of items) {
      if (inList.has(item.id)) continue;
      inList.add(item.id);
      const entry = found.get(item.id) ?? { item, sum: 0 };
      entry.sum += weight / (RANK_CONSTANT + inList.size);
      found.set(item.id, entry);
    }
  }
  return [...found.values()].toSorted((a, b) => b.sum - a.sum).map(({ item }) => item);
}

/** The messages that an item was drawn from. A message may stand beside the statements that were drawn from it. */
function originsOf({ sourceMessageIds, type }: EvidenceItem): readonly string[] {
  return sourceMessageIds.map((id) => `${type} ${id}`);
}

/**
 * The items with those first that come from a message of which nothing is shown yet. Several statements that were drawn
 * from one message mostly say the same; each of them would take the room of something else.
 */
function byNewOrigin(
  items: readonly EvidenceItem[],
  shown: readonly EvidenceItem[],
): readonly EvidenceItem[] {
  const origins = new Set(shown.flatMap(originsOf));
  const [fresh, known]: [EvidenceItem[], EvidenceItem[]] = [[], []];
  for (const item of items) {
    const own = originsOf(item);
    const isKnown = own.length > 0 && own.every((origin) => origins.has(origin));
    (isKnown ? known : fresh).push(item);
    for (const origin of own) origins.add(origin);
  }
  return [...fresh, ...known];
}

/**
 * The state with the best items of everything that the calls found so far, as many as the bounds allow. An item that is too
 * long for what is left of the tokens is left out, and shorter ones after it are not. `shown` are the items that the
 * answerer is shown in any case.
 */
export function admitFound(
  state: RecallState,
  lists: readonly FoundList[],
  shown: readonly EvidenceItem[],
): RecallState {
  const { caps } = state;
  const known = new Set(shown.map(({ id }) => id));
  const items: EvidenceItem[] = [];
  const exhausted: RecallBound[] = [];
  let evidenceTokens = 0;
  const added = fusedItems(lists).filter(({ id }) => !known.has(id));
  for (const item of byNewOrigin(added, shown)) {
    if (items.length >= caps.items) {
      exhausted.push('items');
      break;
    }
    const tokens = tokensOf(item.text);
    if (evidenceTokens + tokens > caps.evidenceTokens) {
      exhausted.push('evidence_tokens');
      continue;
    }
    items.push(item);
    evidenceTokens += tokens;
  }
  return withExhausted({ ...state, items, evidenceTokens }, exhausted);
}
