/** A recall without a service: the product's own loop, plans and order of evidence, over searches in memory. */
import type { EvidenceItem } from '../../../domain/answers/evidence.ts';
import { headSize, type Effort } from '../../../domain/answers/recall/caps.ts';
import { evidenceOrder } from '../../../domain/answers/recall/evidence-order.ts';
import type { WindowEnd } from '../../../domain/statements/candidate.ts';
import { createRecall, type RunTool } from '../../../engine/answers/recall/recall.ts';
import { MOST_FOUND, heldWithin } from '../../../domain/answers/recall/narrowing.ts';
import { CONTEXT_LIMIT, offeredBy, type Offered } from '../answers/offered.ts';
import type { Corpus, CorpusConversation } from '../rank/corpus.ts';
import type { AskedRecall } from './figures.ts';

/** Of a page that has room for as many first candidates as any recall offers. */
const PAGE = 50;
const PLANS_BY_RULES = { provider: 'none' };

function dayOf(at: string | null): WindowEnd | null {
  return at === null ? null : { at, precision: 'day' };
}

function itemOf(offered: Offered): EvidenceItem & { readonly derivationLevel: number } {
  const { about, id, saidAt, score, sources, spokenBy, text, validity } = offered;
  return {
    id,
    type: 'knowledge',
    text,
    scopePath: '/eval',
    sourceMessageIds: sources,
    validity: { from: dayOf(validity?.from ?? null), until: dayOf(validity?.until ?? null) },
    level: 'peer',
    isProvisional: false,
    score,
    subjectPeerId: about,
    subjectName: about,
    claim: null,
    spoken:
      spokenBy === null || saidAt === null
        ? null
        : { peerKey: spokenBy, peerName: spokenBy, role: 'user', occurredAt: saidAt },
    derivationLevel: 1,
  };
}

/** Asks one question with an effort. */
export type MemoryRecall = (
  question: string,
  effort: Effort,
) => Promise<Pick<AskedRecall, 'calls' | 'candidates' | 'offered'>>;

/** What may be searched in a conversation: its statements. It has no derived ones, and no lineage without messages. */
export function memoryRecall(conversation: CorpusConversation): MemoryRecall {
  const offer = offeredBy(conversation, 'thorough', PAGE);
  const found = (query: string) => offer(query).map(itemOf);
  const last = conversation.messages.reduce((most, { at }) => Math.max(most, at), 0);
  const run: RunTool = async (call) => {
    switch (call.tool) {
      case 'search':
      case 'search_direct':
        return found(call.query).slice(0, MOST_FOUND);
      case 'search_dates':
        return found(call.query).slice(0, MOST_FOUND).filter(heldWithin(call));
      case 'search_derived':
      case 'source_exact':
      case 'source_semantic':
      case 'stable_profile':
      case 'lineage':
        return [];
    }
  };
  const recall = createRecall({
    gateway: {
      // Rules plan: nothing else of a gateway is asked for.
      describe: () => ({ dialectic_agent: PLANS_BY_RULES }) as never,
      generation: () => {
        throw new Error('rules plan');
      },
    },
    hash: () => '',
    now: () => 0,
  });
  return async (question, effort) => {
    const candidates = found(question);
    const head = headSize(effort, CONTEXT_LIMIT);
    const recalled = await recall({
      accountId: 'eval',
      traceId: 'eval',
      question,
      referenceTime: new Date(last).toISOString(),
      effort,
      permissions: {
        sourceExact: false,
        sourceSemantic: false,
        stableProfile: false,
        lineage: false,
      },
      candidates: candidates.slice(0, CONTEXT_LIMIT),
      shown: head,
      run,
      begunAt: 0,
      signal: new AbortController().signal,
    });
    const evidence = evidenceOrder(candidates.slice(0, CONTEXT_LIMIT), recalled.items, {
      head,
      limit: CONTEXT_LIMIT,
    });
    return {
      offered: evidence.map(({ sourceMessageIds }) => sourceMessageIds),
      candidates: candidates.map(({ sourceMessageIds }) => sourceMessageIds),
      calls: recalled.retrievalCalls,
    };
  };
}

/** All questions of a set that name their messages. */
export async function recallAll(
  { conversations }: Corpus,
  effort: Effort,
  isWanted: (kind: string) => boolean = () => true,
): Promise<AskedRecall[]> {
  const asked: AskedRecall[] = [];
  for (const [place, conversation] of conversations.entries()) {
    const recall = memoryRecall(conversation);
    for (const { gold, kind, text } of conversation.questions) {
      if (!isWanted(kind)) continue;
      asked.push({ conversation: place, gold, durationMs: null, ...(await recall(text, effort)) });
    }
  }
  return asked;
}
