/** How sure the answerer is, from what retrieval knows. */
import type { ReadEvidence, EvidenceReading } from './reading.ts';
import { CONFIDENCE, type ConfidenceWeights } from './weights.ts';

/** What the confidence is made of, by the names of its weights; each between 0 and 1. */
export type Signals = Readonly<Record<Exclude<keyof ConfidenceWeights, 'bias'>, number>>;

/** What the statements cover, best first. */
function coveragesOf(evidence: readonly ReadEvidence[]): readonly number[] {
  return evidence.map(({ coverage }) => coverage).toSorted((a, b) => b - a);
}

/** `quotes` are those of the reading. */
export function signalsOf(
  { evidence, hasUnknownName }: EvidenceReading,
  quotes: readonly ReadEvidence[],
): Signals {
  const [fit = 0, second = 0] = coveragesOf(
    evidence.filter(({ relevance }) => relevance === 'asked'),
  );
  const [otherFit = 0] = coveragesOf(evidence.filter(({ relevance }) => relevance === 'other'));
  const disputed = quotes[0]?.item;
  const isDisputed = evidence.some(
    ({ item }) =>
      disputed !== undefined &&
      item.id !== disputed.id &&
      (item.disagreesWith.includes(disputed.id) || disputed.disagreesWith.includes(item.id)),
  );
  const isProvisional = quotes.length > 0 && quotes.every(({ item }) => item.isProvisional);
  return {
    fit,
    second,
    otherFit,
    isOtherBetter: otherFit > fit ? 1 : 0,
    hasUnknownName: hasUnknownName ? 1 : 0,
    isDisputed: isDisputed ? 1 : 0,
    isProvisional: isProvisional ? 1 : 0,
  };
}

export const SIGNALS = [
  'fit',
  'second',
  'otherFit',
  'isOtherBetter',
  'hasUnknownName',
  'isDisputed',
  'isProvisional',
] as const satisfies readonly (keyof Signals)[];

/** 0 to 100, whole: the logistic function of the weighted sum. */
export function confidenceOf(signals: Signals, weights: ConfidenceWeights = CONFIDENCE): number {
  const odds = SIGNALS.reduce((sum, name) => sum + weights[name] * signals[name], weights.bias);
  return Math.round(100 / (1 + Math.exp(-odds)));
}
