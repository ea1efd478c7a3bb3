/** The evidence of an answer: the first candidates of a search, or what a recall makes of them. */
import type { AdmittedEvidence } from '../../../domain/answers/evidence.ts';
import { headSize, type Effort } from '../../../domain/answers/recall/caps.ts';
import { evidenceOrder } from '../../../domain/answers/recall/evidence-order.ts';
import type { Caller } from '../../../domain/identity/caller.ts';
import {
  plainEvidence,
  loadEvidence,
  statementsOf,
  type StatementEvidence,
} from '../../../engine/answers/evidence.ts';
import type { RequestContext } from '../../operation.ts';
import { evidenceView } from '../evidence-output.ts';
import type { MadeSearch } from '../searching.ts';
import { diagnosticsOf } from './output.ts';
import { readForEvidence } from './read.ts';
import { permissionsOf, recallTools, type RecallSwitches } from './tools.ts';

export interface AskedRecall extends RecallSwitches {
  readonly question: string;
  /** ISO 8601. */
  readonly referenceTime: string;
  /** Null for the first candidates alone. */
  readonly effort: Effort | null;
  /** Whether messages that only ask are found. */
  readonly includesQuestions: boolean;
  /** Monotonic milliseconds at which the search began. */
  readonly begunAt: number;
}

export interface Gathered {
  readonly evidence: readonly AdmittedEvidence[];
  /** The diagnostics of a recall; empty without one. */
  readonly told: {
    readonly recall_evidence?: ReturnType<typeof evidenceView>[];
    readonly recall_diagnostics?: ReturnType<typeof diagnosticsOf>;
  };
}

/** The first `most` statements among the candidates. */
function candidatesAsEvidence(
  context: RequestContext<Caller>,
  { candidates, request: { reader, scopeIds } }: MadeSearch,
  most: number,
): Promise<readonly StatementEvidence[]> {
  const statements = statementsOf(candidates).slice(0, most);
  return readForEvidence(context, context.signal, (stores) =>
    loadEvidence(stores, statements, { reader, scopeIds }),
  );
}

/** What the answerer is shown. */
export async function gatherEvidence(
  context: RequestContext<Caller>,
  made: MadeSearch,
  asked: AskedRecall,
): Promise<Gathered> {
  const limit = context.settings.answerContextLimit;
  const { effort, ...recall } = asked;
  if (effort === null) {
    // Where nobody judges the statements, their texts are all that is answered of them.
    const evidence = context.settings.hasAnswerer
      ? await candidatesAsEvidence(context, made, limit)
      : plainEvidence(statementsOf(made.candidates).slice(0, limit));
    return { evidence: evidence.map((item) => ({ ...item, origin: 'head' })), told: {} };
  }
  const candidates = await candidatesAsEvidence(context, made, made.candidates.length);
  const head = headSize(effort, limit);
  const permissions = permissionsOf(recall, made);
  const recalled = await context.recall({
    accountId: made.request.accountId,
    traceId: context.traceId,
    question: recall.question,
    referenceTime: recall.referenceTime,
    effort,
    permissions,
    candidates,
    shown: head,
    run: recallTools(context, made, permissions, recall.includesQuestions),
    begunAt: recall.begunAt,
    signal: context.signal,
  });
  const evidence = evidenceOrder(candidates, recalled.items, { head, limit });
  return {
    evidence,
    told: {
      recall_evidence: evidence.map(evidenceView),
      recall_diagnostics: diagnosticsOf(effort, permissions, made, {
        head: candidates.slice(0, head),
        recalled,
      }),
    },
  };
}
