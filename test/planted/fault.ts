/** A fault that somebody could make, in one place of the product. */
export interface Fault {
  /** The part of the product, by which `--only` names it. */
  readonly part: string;
  /** What is wrong then, in a sentence. */
  readonly what: string;
  readonly file: string;
  /** A text that the file holds once. */
  readonly find: string;
  readonly replace: string;
  /** The cheapest test files of which each has to find it. */
  readonly caughtBy: readonly string[];
}

/** How often the text stands in `source`. */
export function timesIn(source: string, text: string): number {
  return source.split(text).length - 1;
}

/** The source of its file with the fault in it. */
export function planted({ file, find, replace }: Fault, source: string): string {
  if (timesIn(source, find) !== 1) throw new Error(`${file} does not hold the place once`);
  return source.replace(find, () => replace);
}
