/** Figures of a recall beside those of the first candidates of the same search: as many items, the same questions. Pure. */
import { bootstrapInterval } from '../rank/bootstrap.ts';
import type { Row } from '../report.ts';

/** The messages that each offered item was drawn from, item by item. */
export type OfferedSources = readonly (readonly string[])[];

/** One question, asked once: what the recall offered, and the candidates of its first search. */
export interface AskedRecall {
  /** Place of the conversation in its set. */
  readonly conversation: number;
  /** Messages that hold the answer. */
  readonly gold: readonly string[];
  readonly offered: OfferedSources;
  /** At least as many as were offered, where the search found so many. */
  readonly candidates: OfferedSources;
  /** Searches and other reads. */
  readonly calls: number;
  /** Milliseconds of the request; null without a service. */
  readonly durationMs: number | null;
}

const PERCENT = 100;

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** The share of the messages that hold the answer that the items were drawn from, in percent. */
function goldShare(gold: readonly string[], items: OfferedSources): number {
  const offered = new Set(items.flat());
  const wanted = new Set(gold);
  return (PERCENT * [...wanted].filter((id) => offered.has(id)).length) / Math.max(1, wanted.size);
}

interface Paired {
  readonly recall: number;
  readonly fixed: number;
}

function pairedOf({ candidates, gold, offered }: AskedRecall): Paired {
  return {
    recall: goldShare(gold, offered),
    fixed: goldShare(gold, candidates.slice(0, offered.length)),
  };
}

/**
 * What a recall found, against as many of the first candidates, with the paired interval of the difference. `lowest` is
 * the floor of the lower end of that interval, in points.
 */
export function recallRows(title: string, asked: readonly AskedRecall[], lowest?: number): Row[] {
  const pairs = asked.map(pairedOf);
  const conversations = [...new Set(asked.map(({ conversation }) => conversation))];
  const differences = conversations.map((place) =>
    pairs.flatMap(({ fixed, recall }, at) =>
      asked[at]?.conversation === place ? [recall - fixed] : [],
    ),
  );
  const { high, low } = bootstrapInterval(differences);
  const times = asked.flatMap(({ durationMs }) => durationMs ?? []).toSorted((a, b) => a - b);
  return [
    { metric: `${title}: gold among the offered`, value: meanOf(pairs.map((one) => one.recall)) },
    { metric: '  as many first candidates', value: meanOf(pairs.map((one) => one.fixed)) },
    { metric: '  difference', value: meanOf(differences.flat()) },
    {
      metric: '  difference, lower end of 95 %',
      value: low,
      ...(lowest === undefined ? {} : { floor: lowest }),
    },
    { metric: '  difference, upper end of 95 %', value: high },
    { metric: '  items', value: meanOf(asked.map(({ offered }) => offered.length)) },
    { metric: '  calls', value: meanOf(asked.map(({ calls }) => calls)) },
    ...(times.length === 0
      ? []
      : [{ metric: '  ms, median', value: times[Math.floor(times.length / 2)] ?? 0, digits: 0 }]),
  ];
}
