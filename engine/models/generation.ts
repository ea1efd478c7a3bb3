/**
 * A model that writes text or an object, as prompts of `engine` use it: every question is one ledger row,
 * and the caller judges the answer before that row is closed, so that the ledger tells a usable answer
 * from one that had to be repaired.
 */
import { ModelFailure, type ErrorClass } from '../../domain/error-class.ts';
import type { TokenUsage, WorstCaseUsage } from '../../domain/models/usage.ts';
import type { Performed } from './attempt.ts';
import type { GenerationAnswer, GenerationRequest, RemoteProvider } from './provider.ts';

export interface Question extends Pick<GenerationRequest, 'instructions' | 'messages' | 'object'> {
  readonly promptVersion: string;
  /** 0 for the first call, 1 and 2 for repairs. */
  readonly repairIndex: number;
}

/** The caller's reading of an answer. A class marks the ledger row as failed; the value is kept. */
export interface JudgedValue<T> {
  readonly value: T;
  readonly errorClass: ErrorClass | null;
}

export interface JudgedAnswer<T> extends JudgedValue<T> {
  readonly usage: TokenUsage;
}

export interface GenerationModel {
  readonly contextTokens: number;
  readonly maxOutputTokens: number;
  /**
   * Asks once.
   * @throws ModelFailure when there is no answer to judge: no connection, a refusal, a truncated or
   * filtered answer. The signal's reason after a cancellation.
   */
  ask<T>(question: Question, judge: (text: string) => JudgedValue<T>): Promise<JudgedAnswer<T>>;
}

/** Upper bound of a question's tokens: no tokenizer makes more tokens than there are bytes. */
export function worstCaseOf(question: Question, maxOutputTokens: number): WorstCaseUsage {
  const texts = [question.instructions, ...question.messages.map((message) => message.content)];
  if (question.object !== null) texts.push(JSON.stringify(question.object.schema));
  const inputTokens = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return { inputTokens, outputTokens: maxOutputTokens, embeddingTokens: 0 };
}

/** Asks the provider and judges; an answer cut off or filtered has no value but still has usage. */
export async function performQuestion<T>(
  provider: RemoteProvider,
  question: Question,
  maxOutputTokens: number,
  signal: AbortSignal,
  judge: (text: string) => JudgedValue<T>,
): Promise<Performed<JudgedValue<T> | null>> {
  const { instructions, messages, object } = question;
  const answer = await provider.generate({
    instructions,
    messages,
    object,
    maxOutputTokens,
    signal,
  });
  const { usage } = answer;
  const metered = usage.inputTokens !== null && usage.outputTokens !== null;
  const unfinished = unfinishedClass(answer);
  if (unfinished !== null) return { value: null, usage, metered, errorClass: unfinished };
  const value = judge(answer.text);
  return { value, usage, metered, errorClass: value.errorClass };
}

/** The judged answer, or the failure that stands in its place. */
export function judgedAnswer<T>(performed: Performed<JudgedValue<T> | null>): JudgedAnswer<T> {
  if (performed.value === null) throw new ModelFailure(performed.errorClass ?? 'internal_error');
  return { ...performed.value, usage: performed.usage };
}

function unfinishedClass(answer: GenerationAnswer): ErrorClass | null {
  if (answer.finish === 'truncated') return 'provider_output_truncated';
  return answer.finish === 'filtered' ? 'provider_content_filtered' : null;
}
