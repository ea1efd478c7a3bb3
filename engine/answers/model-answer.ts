/** Has a model write an answer: one question, and at most two requests for a repair of an answer that cannot be read. */
import { shortNamesOf } from '../../domain/answers/short-names.ts';
import { disagreements } from '../../domain/answers/disagreements.ts';
import type { AdmittedEvidence } from '../../domain/answers/evidence.ts';
import type { Written } from '../../domain/answers/outcome.ts';
import { MOST_REPAIRS } from '../../domain/extraction/effort.ts';
import { ModelFailure, type ErrorClass } from '../../domain/error-class.ts';
import { addUsage, type TokenUsage } from '../../domain/models/usage.ts';
import type { GenerationModel } from '../models/generation.ts';
import type { ChatMessage } from '../models/provider.ts';
import { fitToContext } from './fit-context.ts';
import { INSTRUCTIONS, PROMPT_VERSION, renderFaults, renderMaterial } from './prompt.ts';
import { readReply, REPLY_SCHEMA, type ReadReply } from './read-reply.ts';

/** Characters of its own answer that a model is shown again. */
const MOST_REPEATED_CHARS = 32_768;

export interface AnswerQuestion {
  readonly question: string;
  /** ISO 8601. */
  readonly referenceTime: string;
  readonly evidence: readonly AdmittedEvidence[];
}

export interface ModelAnswer {
  readonly written: Written;
  /** How many of the items the model was shown. */
  readonly shown: number;
  /** Of all calls; null when one of them was not metered. */
  readonly promptTokens: number | null;
}

/** What a model's answer tells on its way. */
export interface AnswerProgress {
  /** How many items the model is shown, before it is asked. */
  shown?(count: number): void;
  /** The provider need not be waited for any more; what the ledger says of the call is written after. */
  replied?(): void;
}

/** In the ledger an answer that cannot be read is an error. */
function ledgerClass({ faults }: ReadReply): ErrorClass | null {
  if (faults.length === 0) return null;
  return faults.some((field) => field === 'no_object')
    ? 'missing_structured_object'
    : 'structured_validation_failed';
}

/**
 * Asks until an answer can be read. Short names are turned back into ids; one that stands for nothing is left out.
 * @throws ModelFailure with the class of what went wrong last; the signal's reason after a cancellation.
 */
export async function answerWithModel(
  model: GenerationModel,
  { evidence, question, referenceTime }: AnswerQuestion,
  progress: AnswerProgress = {},
): Promise<ModelAnswer> {
  const shortNames = shortNamesOf(evidence);
  const disagreeing = disagreements(evidence);
  const material = { question, referenceTime, evidence, shortNames, disagreeing };
  const fitted = fitToContext(material, model.contextTokens - model.maxOutputTokens);
  const shown = fitted.evidence.length;
  progress.shown?.(shown);
  const messages: ChatMessage[] = [{ role: 'user', content: renderMaterial(fitted) }];
  let usage: TokenUsage | null = null;
  for (let repairIndex = 0; ; repairIndex += 1) {
    const asked = await model.ask(
      {
        instructions: INSTRUCTIONS,
        messages: [...messages],
        object: REPLY_SCHEMA,
        promptVersion: PROMPT_VERSION,
        repairIndex,
      },
      (text) => {
        const read = readReply(text);
        if (read.reply !== null) progress.replied?.();
        return { value: { read, text }, errorClass: ledgerClass(read) };
      },
    );
    usage = usage === null ? asked.usage : addUsage(usage, asked.usage);
    const { read, text } = asked.value;
    if (read.reply !== null) {
      const { abstained, answer, citations, confidence } = read.reply;
      const citedIds = citations.flatMap((shortName) => shortNames.idOf(shortName) ?? []);
      const written = { text: answer, citedIds, abstained, confidence };
      return { written, shown, promptTokens: usage.inputTokens };
    }
    if (repairIndex === MOST_REPAIRS) {
      throw new ModelFailure(ledgerClass(read) ?? 'internal_error');
    }
    messages.push(
      { role: 'assistant', content: text.slice(0, MOST_REPEATED_CHARS) },
      { role: 'user', content: renderFaults(read.faults) },
    );
  }
}
