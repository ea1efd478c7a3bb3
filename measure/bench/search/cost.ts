/** What searches cost, as the service's own metrics tell. */
import type { LoadedStack } from '../load/stack.ts';

/** Milliseconds in all, by part. */
export type Parts = ReadonlyMap<string, number>;

const SUM =
  /^vouch_search_(?:stage|component)_duration_seconds_sum\{(?:[^}]*,)?(stage|component)="(\w+)"[^}]*\} (\S+)$/gm;

/** Sums of the durations of stages and strategies, by the metrics of the process that answers. */
export async function parts({ metricsUrl }: LoadedStack): Promise<Parts> {
  const text = await (await fetch(metricsUrl)).text();
  return new Map(
    [...text.matchAll(SUM)].map(([, kind, name, sum]) => [`${kind} ${name}`, Number(sum) * 1000]),
  );
}
