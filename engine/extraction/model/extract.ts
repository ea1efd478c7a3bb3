/**
 * Extraction by a language model: ask, read, and at most twice ask for a repair with the list of faults.
 *
 * An answer is used when it is free of faults, or when repairs are over and some of it is valid. A repair
 * that fails does not take back what an earlier answer established: its valid statements are kept, so that
 * paid work is not thrown away and repeated.
 */
import type { ExtractionRequest } from '../../../domain/extraction/candidate.ts';
import type { ErrorClass } from '../../../domain/models/error-class.ts';
import { ModelFailure } from '../../../domain/models/error-class.ts';
import type { TokenUsage } from '../../../domain/models/ledger.ts';
import { NO_USAGE } from '../../../domain/models/ledger.ts';
import { isEvidenceRole } from '../../../domain/observations/roles.ts';
import type { ModelExtraction } from '../../models/extraction.ts';
import type { GenerationModel } from '../../models/generation.ts';
import type { ChatMessage } from '../../models/provider.ts';
import { fitToContext } from './fit-context.ts';
import {
  DOCUMENT_INSTRUCTIONS,
  DOCUMENT_PROMPT_VERSION,
  INSTRUCTIONS,
  PROMPT_VERSION,
  renderDocument,
  renderFaults,
} from './prompt.ts';
import type { ReadAnswer } from './read-answer.ts';
import { readAnswer } from './read-answer.ts';
import { resolveDates } from './resolve-dates.ts';
import { ANSWER_SCHEMA } from './schema.ts';

const MAX_REPAIRS = 2;

/**
 * Proposes the statements of one anchor.
 * @throws ModelFailure: `source_too_large` without a call when the anchor does not fit the model's context,
 * `missing_structured_object` or `structured_validation_failed` when nothing usable came back, or what the
 * model's own failure was. The signal's reason after a cancellation.
 */
export async function extractWithModel(
  model: GenerationModel,
  request: ExtractionRequest,
): Promise<ModelExtraction> {
  if (!isEvidenceRole(request.anchor.role)) {
    return result(null, { usage: NO_USAGE, attempts: 0 }, promptFor(request));
  }
  const prompt = promptFor(request);
  const fitted = fitToContext(request, model.contextTokens - model.maxOutputTokens);
  const messages: ChatMessage[] = [{ role: 'user', content: renderDocument(fitted) }];
  const spent = { usage: NO_USAGE, attempts: 0 };
  let kept: ReadAnswer | null = null;

  for (let repairIndex = 0; repairIndex <= MAX_REPAIRS; repairIndex += 1) {
    const asked = await ask(model, fitted, messages, {
      ...prompt,
      repairIndex,
      hasKept: kept !== null,
    });
    if (asked === null) break;
    spent.usage = spent.attempts === 0 ? asked.usage : addUsage(spent.usage, asked.usage);
    spent.attempts += 1;
    const { answer, text } = asked;
    const isClean = answer.faults.length === 0;
    if (answer.candidates.length > 0 || (isClean && kept === null)) kept = answer;
    if (isClean) break;
    if (repairIndex === MAX_REPAIRS && kept === null) throw new ModelFailure(unusable(answer));
    messages.push(
      { role: 'assistant', content: text },
      { role: 'user', content: renderFaults(answer.faults) },
    );
  }
  return result(kept, spent, prompt);
}

interface Prompt {
  readonly instructions: string;
  readonly promptVersion: string;
}

function promptFor({ document }: ExtractionRequest): Prompt {
  return document == null
    ? { instructions: INSTRUCTIONS, promptVersion: PROMPT_VERSION }
    : { instructions: DOCUMENT_INSTRUCTIONS, promptVersion: DOCUMENT_PROMPT_VERSION };
}

/** One call. Null when it failed but earlier statements are there to keep; a cancellation always passes. */
async function ask(
  model: GenerationModel,
  request: ExtractionRequest,
  messages: readonly ChatMessage[],
  round: Prompt & { readonly repairIndex: number; readonly hasKept: boolean },
): Promise<{ answer: ReadAnswer; text: string; usage: TokenUsage } | null> {
  try {
    const question = {
      instructions: round.instructions,
      messages: [...messages],
      object: ANSWER_SCHEMA,
      promptVersion: round.promptVersion,
      repairIndex: round.repairIndex,
    };
    const { value, usage } = await model.ask(question, (text) => {
      const answer = readAnswer(text, request, resolveDates);
      return { value: { answer, text }, errorClass: ledgerClass(answer) };
    });
    return { ...value, usage };
  } catch (error) {
    if (round.hasKept && error instanceof ModelFailure) return null;
    throw error;
  }
}

/** In the ledger an answer is an error only when nothing in it could be used. */
function ledgerClass(answer: ReadAnswer): ErrorClass | null {
  return answer.faults.length === 0 || answer.candidates.length > 0 ? null : unusable(answer);
}

function unusable(answer: ReadAnswer): ErrorClass {
  return answer.hasObject ? 'structured_validation_failed' : 'missing_structured_object';
}

function result(
  kept: ReadAnswer | null,
  spent: { readonly usage: TokenUsage; readonly attempts: number },
  { promptVersion }: Pick<Prompt, 'promptVersion'>,
): ModelExtraction {
  return {
    candidates: kept?.candidates ?? [],
    rejected: kept?.rejected ?? 0,
    promptVersion,
    usage: spent.usage,
    attempts: spent.attempts,
  };
}

function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return {
    inputTokens: addTokens(a.inputTokens, b.inputTokens),
    outputTokens: addTokens(a.outputTokens, b.outputTokens),
    embeddingTokens: addTokens(a.embeddingTokens, b.embeddingTokens),
  };
}

/** A sum with an unknown part is unknown. */
function addTokens(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}
