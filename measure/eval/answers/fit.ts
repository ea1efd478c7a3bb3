/**
 * Fits the weights of the confidence: a logistic regression on the signals of questions with and without an answer. Plain
 * gradient descent on standardised signals, the same on every run.
 */
import { SIGNALS, type Signals } from '../../../domain/answers/extractive/confidence.ts';
import { CONFIDENCE, type ConfidenceWeights } from '../../../domain/answers/extractive/weights.ts';

export type SignalName = keyof Signals;

/** A question of the tuning conversations. */
export interface Example {
  readonly signals: Signals;
  readonly isAnswerable: boolean;
  /** Examples of one group weigh `share` together, however many there are. */
  readonly group: string;
  readonly share: number;
}

const STEPS = 600;
const RATE = 1;
const DECAY = 0.01;
/** The share of the answerable questions of the tuning conversations that may be refused: some points less than the floor. */
const FALSE_REFUSALS = 0.07;

interface Standard {
  readonly name: SignalName;
  readonly mean: number;
  readonly deviation: number;
}

function standardOf(examples: readonly Example[], name: SignalName): Standard {
  const values = examples.map(({ signals }) => signals[name]);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { name, mean, deviation: Math.sqrt(variance) };
}

/** Weights of standardised signals, the bias last. */
function descend(
  rows: readonly (readonly number[])[],
  examples: readonly Example[],
  shares: readonly number[],
): number[] {
  const width = rows[0]?.length ?? 0;
  const weights = Array.from({ length: width }, () => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const slopes = weights.map((weight, at) => (at === width - 1 ? 0 : (DECAY * weight) / width));
    rows.forEach((row, n) => {
      const odds = row.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0);
      const wanted = examples[n]?.isAnswerable === true ? 1 : 0;
      const error = (1 / (1 + Math.exp(-odds)) - wanted) * (shares[n] ?? 0);
      row.forEach((value, at) => {
        slopes[at] = (slopes[at] ?? 0) + error * value;
      });
    });
    slopes.forEach((slope, at) => {
      weights[at] = (weights[at] ?? 0) - RATE * slope;
    });
  }
  return weights;
}

function oddsOf(signals: Signals, weights: ConfidenceWeights): number {
  return SIGNALS.reduce((sum, name) => sum + weights[name] * signals[name], weights.bias);
}

/**
 * The weights of the signals that are `used` and differ among the examples; the others keep those of the product when
 * they are the same everywhere, and are 0 when they are not used. The bias is set so that 7 % of the answerable examples
 * are refused.
 */
export function fitConfidence(
  examples: readonly Example[],
  used: readonly SignalName[],
): ConfidenceWeights {
  const standards = used
    .map((name) => standardOf(examples, name))
    .filter(({ deviation }) => deviation > 0);
  const rows = examples.map(({ signals }) => [
    ...standards.map(({ deviation, mean, name }) => (signals[name] - mean) / deviation),
    1,
  ]);
  const sizes = new Map<string, number>();
  for (const { group } of examples) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const whole = [...new Map(examples.map(({ group, share }) => [group, share])).values()].reduce(
    (sum, share) => sum + share,
    0,
  );
  const shares = examples.map(({ group, share }) => share / (sizes.get(group) ?? 1) / whole);
  const fitted = descend(rows, examples, shares);
  const known: Record<SignalName, number> = { ...CONFIDENCE };
  for (const name of SIGNALS) if (!used.includes(name)) known[name] = 0;
  standards.forEach(({ deviation, name }, at) => {
    known[name] = (fitted[at] ?? 0) / deviation;
  });
  const unbiased: ConfidenceWeights = { ...known, bias: 0 };
  const odds = examples
    .filter(({ isAnswerable }) => isAnswerable)
    .map(({ signals }) => oddsOf(signals, unbiased))
    .toSorted((a, b) => a - b);
  return { ...unbiased, bias: -(odds[Math.floor(odds.length * FALSE_REFUSALS)] ?? 0) };
}
