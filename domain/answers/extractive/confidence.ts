/** How sure the answerer is, from what retrieval knows. */
import type { ReadEvidence, EvidenceReading } from './reading.ts';
import { CONFIDENCE, type ConfidenceWeights } from './weights.ts';

/** What the confidence is made of, by the names of its weights; each between 0 and 1. */
export type Signals = Readonly<Record<Exclude<keyof ConfidenceWeights, 'bias'>, number>>;

function bestOf(evidence: readonly ReadEvidence[]): number {
  return Math.max(0, ...evidence.map(({ coverage }) => coverage));
}

/** The share of the question that the statements cover together. */
function together(evidence: readonly ReadEvidence[], weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const covered = weights.reduce(
    (sum, weight, at) =>
      sum + weight * Math.max(0, ...evidence.map((read) => read.covered[at] ?? 0)),
    0,
  );
  return total === 0 ? 0 : covered / total;
}

/** `quotes` are those of the reading. */
export function signalsOf(
  { evidence, hasUnknownName, weights }: EvidenceReading,
  quotes: readonly ReadEvidence[],
): Signals {
  const asked = evidence.filter(({ relevance }) => relevance === 'asked');
  const fit = bestOf(asked);
  const otherFit = bestOf(evidence.filter(({ relevance }) => relevance === 'other'));
  const [first] = quotes;
  const ids = new Set(evidence.map(({ item }) => item.id));
  const isDisputed =
    first !== undefined &&
    (first.item.disagreesWith.some((id) => ids.has(id)) ||
      evidence.some(({ item }) => item.disagreesWith.includes(first.item.id)));
  const isProvisional = quotes.length > 0 && quotes.every(({ item }) => item.isProvisional);
  return {
    fit,
    together: together(asked, weights),
    otherFit,
    isOtherBetter: otherFit > fit ? 1 : 0,
    hasUnknownName: hasUnknownName ? 1 : 0,
    isDisputed: isDisputed ? 1 : 0,
    isProvisional: isProvisional ? 1 : 0,
  };
}

const NAMES = [
  'fit',
  'together',
  'otherFit',
  'isOtherBetter',
  'hasUnknownName',
  'isDisputed',
  'isProvisional',
] as const satisfies readonly (keyof Signals)[];

/** 0 to 100, whole: the logistic function of the weighted sum. */
export function confidenceOf(signals: Signals, weights: ConfidenceWeights = CONFIDENCE): number {
  const odds = NAMES.reduce((sum, name) => sum + weights[name] * signals[name], weights.bias);
  return Math.round(100 / (1 + Math.exp(-odds)));
}
