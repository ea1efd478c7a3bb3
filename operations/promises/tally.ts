/** Counts what lists of promises hold, and what came of it. */
import { z } from 'zod';
import { PROMISE_KINDS, type GivenPromise, type PromiseKind } from '../../domain/promises/kinds.ts';
import type { ReadLine } from '../../domain/promises/line.ts';
import { Refusal } from '../../domain/errors.ts';
import type { NumberedLine } from '../../stores/promises/read-file.ts';

export type { NumberedLine } from '../../stores/promises/read-file.ts';

/** The lines of lists, as an input of an operation. */
export const linesField = z.custom<AsyncIterable<NumberedLine>>(
  (value) => typeof Reflect.get(Object(value), Symbol.asyncIterator) === 'function',
  'must be lines of lists of promises',
);

/** Names of kinds that this release does not know, of which a report lists so many. */
const MOST_UNKNOWN_KINDS = 20;
const count = z.int().min(0);

export const listFields = {
  cut: count.describe('Lines whose writer was killed: nothing was promised there.'),
  not_understood: z.object({
    lines: count,
    kinds: z.array(z.string()).describe('Kinds of a later release.'),
  }),
};

export type ListReport = z.infer<z.ZodObject<typeof listFields>>;

/** Refuses a line that no process of the service wrote. */
export function foreignLine({ line, list }: Pick<NumberedLine, 'line' | 'list'>): Refusal {
  return new Refusal('conflict', {
    fields: [
      {
        path: 'list',
        message: `line ${line} of list ${list} is no promise of this service, or was changed. Find out which one it was, then take the line out`,
      },
    ],
  });
}

/** The promises of the lines, in their order; what else the lines hold is counted in the report. */
export async function* promisesOf(
  lines: AsyncIterable<NumberedLine>,
  report: ListReport,
): AsyncGenerator<GivenPromise> {
  for await (const numbered of lines) {
    const { read }: { readonly read: ReadLine } = numbered;
    if (read.state === 'promise') yield read.promise;
    else if (read.state === 'foreign') throw foreignLine(numbered);
    else if (read.state === 'cut') report.cut += 1;
    else if (read.state === 'newer') {
      const { kinds } = report.not_understood;
      report.not_understood.lines += 1;
      const isNew = read.kind !== null && !kinds.includes(read.kind);
      if (isNew && kinds.length < MOST_UNKNOWN_KINDS) kinds.push(read.kind ?? '');
    }
  }
}

export const nothingRead = (): ListReport => ({ cut: 0, not_understood: { lines: 0, kinds: [] } });

/** One value for each kind. */
export function forEachKind<T>(make: () => T): Record<PromiseKind, T> {
  return Object.fromEntries(PROMISE_KINDS.map((kind) => [kind, make()])) as Record<PromiseKind, T>;
}
