/** Reads lists of promises without a server: what they hold, and whether every line is whole. */
import type { PromiseKind } from '../../domain/promises/kinds.ts';
import type { NumberedLine } from '../../stores/promises/read-file.ts';
import { forEachKind, nothingRead, promisesOf, type ListReport } from './tally.ts';

export interface PromiseCheck extends ListReport {
  /** Lines of each kind. The same promise may stand on several. */
  readonly kinds: Readonly<Record<PromiseKind, number>>;
  readonly first_given_at: string | null;
  readonly last_given_at: string | null;
}

/** Refuses with `conflict` a line that no process of the service wrote. */
export async function checkPromises(lines: AsyncIterable<NumberedLine>): Promise<PromiseCheck> {
  const report = nothingRead();
  const kinds = forEachKind(() => 0);
  let first: string | null = null;
  let last: string | null = null;
  for await (const { given_at: at, kind } of promisesOf(lines, report)) {
    kinds[kind] += 1;
    if (first === null || at < first) first = at;
    if (last === null || at > last) last = at;
  }
  return { ...report, kinds, first_given_at: first, last_given_at: last };
}
