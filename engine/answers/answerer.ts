/**
 * Answers a question from evidence, as the role `dialectic_agent` says: with a model, with the built-in answerer, or with
 * the statements themselves. A provider that fails makes an answer that says so; only a caller that left, and the ledger,
 * make it throw.
 */
import { disagreements } from '../../domain/answers/disagreements.ts';
import type { AdmittedEvidence } from '../../domain/answers/evidence.ts';
import type {
  ExtractiveAnswer,
  ExtractiveEvidence,
} from '../../domain/answers/extractive/types.ts';
import type { ExtractiveInput } from '../../domain/answers/extractive/reading.ts';
import { outcomeOf, type AnswerOutcome, type Reply } from '../../domain/answers/outcome.ts';
import { validityPhrase } from '../../domain/statements/validity-phrase.ts';
import { ModelFailure } from '../../domain/error-class.ts';
import { WaitedLongEnough } from '../models/attempt.ts';
import { callAside, type CallContext } from '../models/extraction.ts';
import type { ModelGateway } from '../models/gateway.ts';
import { contentTerms } from '../text/analyze.ts';
import { answerWithModel, type AnswerQuestion } from './model-answer.ts';
import type { AnswerKind, AnswerObserver } from './observer.ts';

/** For an answer with its repairs and the wait for a slot of the provider. An answer is sent before its connection is given up. */
const LONGEST_ANSWERING_MS = 120_000;

/** The built-in answerer. */
export type AnswerInProcess = (asked: ExtractiveInput) => ExtractiveAnswer;

export interface AnswererDependencies {
  readonly gateway: Pick<ModelGateway, 'describe' | 'generation' | 'inProcess' | 'mask'>;
  readonly answerInProcess: AnswerInProcess;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly observer?: AnswerObserver | undefined;
  /** Replaces the usual limit, in milliseconds. */
  readonly timeoutMs?: number | undefined;
}

export interface AnswerRequest extends AnswerQuestion {
  readonly accountId: string;
  readonly traceId: string;
  readonly signal: AbortSignal;
  /** Told once a provider need not be waited for any more, before the answer is ready. Not told of one that failed. */
  readonly replied?: (() => void) | undefined;
}

/**
 * Answers once.
 * @throws the signal's reason after a cancellation; whatever the provider ledger throws.
 */
export type Answer = (request: AnswerRequest) => Promise<GivenAnswer>;

export interface GivenAnswer extends AnswerOutcome {
  /** Whether a provider was waited for, so that time has passed since the evidence was read. */
  readonly hasWaited: boolean;
}

interface Replied {
  readonly reply: Reply;
  /** How many items the answerer was shown. */
  readonly shown: number;
}

function extractive(evidence: readonly AdmittedEvidence[]): readonly ExtractiveEvidence[] {
  const disagreeing = disagreements(evidence);
  return evidence.map(
    ({ id, isProvisional, level, score, spoken, subjectName, text, validity }) => ({
      id,
      text,
      about: subjectName,
      spokenBy: spoken?.peerName ?? null,
      validity:
        validity.from === null && validity.until === null
          ? null
          : { from: validity.from?.at ?? null, until: validity.until?.at ?? null },
      saidAt: spoken?.occurredAt ?? null,
      score,
      disagreesWith: disagreeing.get(id) ?? [],
      level,
      isProvisional,
    }),
  );
}

/** What was replied; a failure of the provider is a reply too. */
async function failing(shown: () => number, work: () => Promise<Replied>): Promise<Replied> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { reply: { kind: 'failed', errorClass: error.errorClass }, shown: shown() };
  }
}

async function fromBuiltIn(
  { answerInProcess, gateway }: AnswererDependencies,
  { evidence, question, referenceTime }: AnswerQuestion,
  call: CallContext,
): Promise<Replied> {
  const asked = { question, referenceTime, evidence: extractive(evidence) };
  const shown = evidence.length;
  return failing(
    () => shown,
    async () => {
      const written = await gateway.inProcess('dialectic_agent', call, () =>
        answerInProcess(asked),
      );
      return { reply: { kind: 'written', written, promptTokens: 0 }, shown };
    },
  );
}

async function fromModel(
  { gateway }: AnswererDependencies,
  asked: AnswerQuestion & Pick<AnswerRequest, 'replied'>,
  call: CallContext,
): Promise<Replied> {
  let shown = asked.evidence.length;
  return failing(
    () => shown,
    async () => {
      const model = gateway.generation('dialectic_agent', call);
      const { promptTokens, written } = await answerWithModel(model, asked, {
        shown: (count) => {
          shown = count;
        },
        replied: () => asked.replied?.(),
      });
      // A model may make up what it was not shown.
      const [text = ''] = await gateway.mask([written.text], call);
      return { reply: { kind: 'written', written: { ...written, text }, promptTokens }, shown };
    },
  );
}

function reply(
  dependencies: AnswererDependencies,
  asked: AnswerRequest,
  call: CallContext,
): Promise<Replied> {
  const { provider } = dependencies.gateway.describe().dialectic_agent;
  if (provider === 'none') return Promise.resolve({ reply: { kind: 'no_model' }, shown: 0 });
  return provider === 'deterministic'
    ? fromBuiltIn(dependencies, asked, call)
    : fromModel(dependencies, asked, call);
}

/** The reply within the time of an answer. Time that is over is a failure of the provider like any other. */
async function replyInTime(
  dependencies: AnswererDependencies,
  asked: AnswerRequest,
): Promise<Replied> {
  const { accountId, evidence, signal, traceId } = asked;
  if (evidence.length === 0) return { reply: { kind: 'not_asked' }, shown: 0 };
  const over = new AbortController();
  const timer = setTimeout(
    () => over.abort(new WaitedLongEnough()),
    dependencies.timeoutMs ?? LONGEST_ANSWERING_MS,
  );
  const call = callAside({ accountId, traceId, signal: AbortSignal.any([signal, over.signal]) });
  try {
    return await reply(dependencies, asked, call);
  } catch (error) {
    signal.throwIfAborted();
    if (!over.signal.aborted) throw error;
    return { reply: { kind: 'failed', errorClass: 'request_timeout' }, shown: evidence.length };
  } finally {
    clearTimeout(timer);
  }
}

function kindOf({ kind }: Reply, { abstained, citations }: AnswerOutcome): AnswerKind {
  if (kind === 'failed') return 'failed';
  if (kind === 'no_model') return 'unjudged';
  if (citations.length === 0) return 'empty';
  return abstained ? 'lead' : 'supported';
}

/** Builds the answerer of a process. */
export function createAnswerer(dependencies: AnswererDependencies): Answer {
  const { gateway, now, observer } = dependencies;
  return async (asked) => {
    const startedAt = now();
    const { reply: replied, shown } = await replyInTime(dependencies, asked);
    const items = replied.kind === 'no_model' ? asked.evidence : asked.evidence.slice(0, shown);
    const offered = items.map(({ id, text, validity }) => ({
      id,
      text,
      validityPhrase: validityPhrase(validity),
    }));
    const outcome = outcomeOf(asked.question, offered, replied, contentTerms);
    const { provider } = gateway.describe().dialectic_agent;
    observer?.answered({
      provider,
      kind: kindOf(replied, outcome),
      errorClass: outcome.degraded,
      durationMs: now() - startedAt,
    });
    const isRemote = provider !== 'none' && provider !== 'deterministic';
    return { ...outcome, hasWaited: isRemote && replied.kind !== 'not_asked' };
  };
}
