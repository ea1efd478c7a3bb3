/** What the long run was asked for on its command line. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { SUITES, suitesNamed, type Suite } from './suites.ts';

/** Of these lines each is one way to ask. */
export const USAGE = `npm run test:long                       every suite that was not green at this commit yet
npm run test:long -- --fresh            every suite, with a new seed
npm run test:long -- --seed <number>    every suite, with this seed
npm run test:long -- --only <words>     the suite of that name, or those with the words in their name or in a path of a test file, again`;

export interface LongOptions {
  /** Forgets which suites were green. */
  readonly isFresh: boolean;
  readonly seed: number | null;
  readonly suites: readonly Suite[];
  /** Suites that were named are run even where they were green. */
  readonly isChosen: boolean;
}

const seedText = z.coerce.number().int().min(0).max(0x7fff_ffff);

/** Throws on what is no option, and on words that no suite has. */
export function readOptions(args: readonly string[]): LongOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      fresh: { type: 'boolean', default: false },
      seed: { type: 'string' },
      only: { type: 'string', multiple: true },
    },
  });
  const named = (values.only ?? []).flatMap((words) => {
    const found = suitesNamed(words);
    if (found.length === 0) throw new Error(`no suite is called ${words}, nor a test file of one`);
    return found;
  });
  const seed = values.seed === undefined ? null : seedText.parse(values.seed);
  return {
    isFresh: values.fresh || seed !== null,
    seed,
    suites: named.length === 0 ? SUITES : SUITES.filter((suite) => named.includes(suite)),
    isChosen: named.length > 0,
  };
}
