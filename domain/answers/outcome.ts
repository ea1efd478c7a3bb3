/**
 * What is answered: one pure function of what was offered and of what came back. The rows of its table are those of the
 * contract; nothing that a model says can make another one.
 */
import type { ErrorClass } from '../error-class.ts';
import type { TermsOf } from '../query/match-operators.ts';
import { LEAST_SUPPORT, supportOf, type AnswerSupport } from './support.ts';

/** From this confidence on an answer is well supported; below it, it is a lead. */
export const LEAST_CONFIDENCE = 50;
const HIGHEST_CONFIDENCE = 100;
/** Of statements that no model has put into an answer. */
const UNJUDGED_CONFIDENCE = 40;
/** Statements that stand for an answer where no model writes one. */
const MOST_STANDING_IN = 4;

/** Said where nothing that was retrieved supports an answer. */
export const NO_EVIDENCE = 'The memory holds nothing that answers this question.';
/** Said where the model that writes answers failed. */
export const ANSWER_FAILED =
  'No answer could be written, because the model for answers failed. The statements found are listed beside it.';

/** What an answerer wrote. The cited ids may be anything. */
export interface Written {
  readonly text: string;
  readonly citedIds: readonly string[];
  readonly abstained: boolean;
  /** 0 to 100. */
  readonly confidence: number;
}

export type Reply =
  /** Nothing was retrieved, so nothing was asked. */
  | { readonly kind: 'not_asked' }
  | { readonly kind: 'no_model' }
  | { readonly kind: 'failed'; readonly errorClass: ErrorClass }
  | {
      readonly kind: 'written';
      readonly written: Written;
      /** Tokens of the prompts, repairs included; null when the provider did not count them. */
      readonly promptTokens: number | null;
    };

/** An item that was offered. */
export interface Offered {
  readonly id: string;
  readonly text: string;
  /** How long it holds, in words: dates count as said. */
  readonly validityPhrase: string;
}

export interface AnswerOutcome {
  readonly answer: string;
  readonly citations: readonly string[];
  readonly abstained: boolean;
  /** An integer from 0 to 100. */
  readonly confidence: number;
  readonly degraded: ErrorClass | null;
  readonly contextCount: number;
  readonly promptTokens: number | null;
  readonly supportingStatements: readonly string[];
  readonly support: AnswerSupport['overlaps'];
}

const NOTHING = {
  answer: NO_EVIDENCE,
  citations: [],
  abstained: true,
  confidence: 0,
  degraded: null,
  contextCount: 0,
  promptTokens: 0,
  supportingStatements: [],
  support: [],
} as const satisfies AnswerOutcome;

/**
 * The outcome for a question about `offered`, in their order.
 * - Nothing offered, or no citation left: the empty abstention.
 * - Citations of what was not offered are removed; of others the first mention counts.
 * - Below 50 the answer abstains, whatever its writer says; a writer that abstains has at most 49.
 * - Too little in common with what it cites: at most 49.
 */
export function outcomeOf(
  question: string,
  offered: readonly Offered[],
  reply: Reply,
  termsOf: TermsOf,
): AnswerOutcome {
  const [first] = offered;
  if (first === undefined || reply.kind === 'not_asked') return NOTHING;
  const standIn = offered.slice(0, MOST_STANDING_IN);
  const ids = standIn.map(({ id }) => id);
  const texts = standIn.map(({ text }) => text);
  if (reply.kind === 'no_model') {
    return {
      ...NOTHING,
      answer: texts.join(' '),
      citations: ids,
      abstained: false,
      confidence: UNJUDGED_CONFIDENCE,
    };
  }
  if (reply.kind === 'failed') {
    return {
      ...NOTHING,
      answer: ANSWER_FAILED,
      citations: ids,
      degraded: reply.errorClass,
      contextCount: offered.length,
      promptTokens: null,
      supportingStatements: texts,
    };
  }
  return checked(question, offered, reply, termsOf);
}

/** What was written, as far as it stands on what was offered. */
function checked(
  question: string,
  offered: readonly Offered[],
  { promptTokens, written }: Extract<Reply, { readonly kind: 'written' }>,
  termsOf: TermsOf,
): AnswerOutcome {
  const asked = { contextCount: offered.length, promptTokens };
  const known = new Map(offered.map((item) => [item.id, item]));
  const cited = [...new Set(written.citedIds)].flatMap((id) => known.get(id) ?? []);
  if (cited.length === 0) return { ...NOTHING, ...asked };
  const texts = cited.map(({ id, text, validityPhrase }) => ({
    id,
    text: `${text} ${validityPhrase}`,
  }));
  const support = supportOf({ answer: written.text, question }, texts, termsOf);
  const isLead = written.abstained || support.together < LEAST_SUPPORT;
  const most = isLead ? LEAST_CONFIDENCE - 1 : HIGHEST_CONFIDENCE;
  const confidence = Math.min(most, Math.max(0, Math.round(written.confidence)));
  return {
    ...NOTHING,
    ...asked,
    answer: written.text,
    citations: cited.map(({ id }) => id),
    abstained: confidence < LEAST_CONFIDENCE,
    confidence,
    support: support.overlaps,
  };
}
