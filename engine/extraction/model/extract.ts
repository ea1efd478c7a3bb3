/**
 * Extraction by a language model: ask, read, and at most twice ask for a repair with the list of faults. One
 * call asks about one anchor or about several of a session; each is read, repaired and answered separately.
 *
 * An answer is used when it is free of faults, or when repairs are over and some of it is valid. A repair
 * that fails does not take back what an earlier answer established: its valid statements are kept, so that
 * paid work is not thrown away and repeated. A repair asks only about anchors that are not in order yet.
 */
import type { Candidate, ExtractionRequest } from '../../../domain/statements/candidate.ts';
import { ModelFailure, type ErrorClass } from '../../../domain/error-class.ts';
import { addUsage, NO_USAGE, type TokenUsage } from '../../../domain/models/usage.ts';
import { isEvidenceRole } from '../../../domain/observations/roles.ts';
import { MOST_REPAIRS } from '../../../domain/extraction/effort.ts';
import type { AnchorAnswer, ModelExtraction } from '../../models/extraction.ts';
import type { GenerationModel } from '../../models/generation.ts';
import type { ChatMessage } from '../../models/provider.ts';
import { fitToContext } from './fit-context.ts';
import { instructionsFor, PROMPT_VERSION, renderMaterial, renderFaults } from './prompt.ts';
import { readAnswer, type ReadAnswer } from './read-answer.ts';
import { resolveDates } from './resolve-dates.ts';
import { ANSWER_SCHEMA } from './schema.ts';

/** The most characters of its own answer that a repair shows the model again: all of an answer of 8,192 tokens. */
const MOST_REPEATED_CHARS = 131_072;

const NOTHING: AnchorAnswer<Candidate> = { candidates: [], rejected: 0, failure: null };

/**
 * Proposes the statements of one anchor, or of several of one session and scope that are all evidence, in one call
 * and its repairs. A chunk of a document stands alone. So does an anchor that is no evidence: it makes no call.
 * An anchor without a usable answer has a failure of its own: `missing_structured_object`,
 * `structured_validation_failed`, or the failure of its repair.
 * @throws ModelFailure: `source_too_large` without a call when the anchors do not fit the model's context, or the
 * failure of the first call. The signal's reason after a cancellation.
 */
export async function extractWithModel(
  model: GenerationModel,
  requests: readonly ExtractionRequest[],
): Promise<ModelExtraction> {
  if (!requests.some(({ anchor }) => isEvidenceRole(anchor.role))) {
    const answers = requests.map(() => NOTHING);
    return { answers, promptVersion: PROMPT_VERSION, usage: NO_USAGE, attempts: 0 };
  }
  const fitted = fitToContext(requests, model.contextTokens - model.maxOutputTokens);
  const messages: ChatMessage[] = [{ role: 'user', content: renderMaterial(fitted) }];
  const anchors = fitted.map((request) => new AnchorInCall(request));
  const spent = { usage: NO_USAGE, attempts: 0 };
  let open = anchors;

  for (let repairIndex = 0; repairIndex <= MOST_REPAIRS; repairIndex += 1) {
    const asked = await ask(model, open, messages, repairIndex);
    if (asked === null) break;
    spent.usage = spent.attempts === 0 ? asked.usage : addUsage(spent.usage, asked.usage);
    spent.attempts += 1;
    for (const [index, anchor] of open.entries()) anchor.read(asked.answers[index]);
    open = open.filter(({ isClean }) => !isClean);
    if (open.length === 0) break;
    const faulty = open.map(({ request, faults }) => ({ anchorId: request.anchor.id, faults }));
    messages.push(
      { role: 'assistant', content: asked.text.slice(0, MOST_REPEATED_CHARS) },
      { role: 'user', content: renderFaults(faulty) },
    );
  }
  return {
    answers: anchors.map((anchor) => anchor.answer),
    promptVersion: PROMPT_VERSION,
    ...spent,
  };
}

/** One anchor of a call, over its first answer and the repairs. */
class AnchorInCall {
  readonly request: ExtractionRequest;
  #kept: ReadAnswer | null = null;
  #last: ReadAnswer | undefined;
  #failure: ModelFailure | null = null;

  constructor(request: ExtractionRequest) {
    this.request = request;
  }

  get faults(): ReadAnswer['faults'] {
    return this.#last?.faults ?? [];
  }

  get isClean(): boolean {
    return this.#last?.faults.length === 0;
  }

  get answer(): AnchorAnswer<Candidate> {
    if (this.#kept !== null) {
      const { candidates, rejected } = this.#kept;
      return { candidates, rejected, failure: null };
    }
    return { failure: this.#failure ?? new ModelFailure(unusable(this.#last)) };
  }

  read(answer: ReadAnswer | undefined): void {
    this.#last = answer;
    const isBetter = this.isClean && this.#kept === null;
    if (answer !== undefined && (answer.candidates.length > 0 || isBetter)) this.#kept = answer;
  }

  /** The repair failed. The answer that was kept before stays. */
  fail(failure: ModelFailure): void {
    this.#failure = failure;
  }
}

/** One call. Null when a repair failed, after telling each anchor; a cancellation is always thrown. */
async function ask(
  model: GenerationModel,
  anchors: readonly AnchorInCall[],
  messages: readonly ChatMessage[],
  repairIndex: number,
): Promise<{ answers: readonly ReadAnswer[]; text: string; usage: TokenUsage } | null> {
  try {
    const requests = anchors.map(({ request }) => request);
    const question = {
      instructions: instructionsFor(requests),
      messages: [...messages],
      object: ANSWER_SCHEMA,
      promptVersion: PROMPT_VERSION,
      repairIndex,
    };
    const { value, usage } = await model.ask(question, (text) => {
      const answers = readAnswer(text, requests, resolveDates);
      return { value: { answers, text }, errorClass: ledgerClass(answers) };
    });
    return { ...value, usage };
  } catch (error) {
    if (repairIndex === 0 || !(error instanceof ModelFailure)) throw error;
    for (const anchor of anchors) anchor.fail(error);
    return null;
  }
}

/** In the ledger an answer is an error only when nothing in it could be used. */
function ledgerClass(answers: readonly ReadAnswer[]): ErrorClass | null {
  const isUsable = answers.some(
    ({ candidates, faults }) => candidates.length > 0 || faults.length === 0,
  );
  return isUsable ? null : unusable(answers[0]);
}

function unusable(answer: ReadAnswer | undefined): ErrorClass {
  return answer?.hasObject === true ? 'structured_validation_failed' : 'missing_structured_object';
}
