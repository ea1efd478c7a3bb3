/** Whom a question asks about: the people whose names it says. */
import { isNoise } from '../../entities/noise.ts';
import { foldText, withPlainSigns } from '../../text/fold.ts';
import { placedSegments, segments, wordForms, words } from '../../text/tokens.ts';

/** The words and runs of a name, without titles and little words where it has others. */
function partsOf(name: string): readonly string[] {
  const parts = segments(name).flatMap(({ kind, text }) =>
    kind === 'word' ? wordForms(text) : [text],
  );
  const telling = parts.filter((part) => !isNoise(part));
  return telling.length > 0 ? telling : parts;
}

/** Whether a part of a name is of a script without spaces, and so may stand inside a run of the question. */
export function isRun(part: string): boolean {
  return segments(part).some(({ kind }) => kind !== 'word');
}

/** Words with a capital that does not just begin the question, folded. */
function capitalised(question: string): ReadonlySet<string> {
  const [, ...later] = placedSegments(withPlainSigns(question));
  return new Set(
    later.filter(({ text }) => /^\p{Lu}/u.test(text)).flatMap(({ text }) => words(text)),
  );
}

/** Says of a name which of its words a question says. A name like `Will` needs its capital. */
function saidIn(question: string): (name: string) => readonly string[] {
  const said = new Set(words(question));
  const folded = foldText(question);
  const capitals = capitalised(question);
  const isSaid = (part: string): boolean =>
    isNoise(part) ? capitals.has(part) : said.has(part) || (isRun(part) && folded.includes(part));
  return (name) => partsOf(name).filter(isSaid);
}

export interface AskedAbout {
  readonly people: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/**
 * The people whom the question names, of those whom the evidence knows. Of two with a word in common the one of whose
 * name more is said is meant: `Anna Smith`, and not `Anna Jones`.
 */
export function askedAbout(names: readonly string[], question: string): AskedAbout {
  const said = saidIn(question);
  const named = [...new Set(names)]
    .map((name) => ({ name, words: said(name) }))
    .filter(({ words }) => words.length > 0);
  const most = new Map<string, number>();
  for (const { words } of named) {
    for (const word of words) most.set(word, Math.max(most.get(word) ?? 0, words.length));
  }
  const meant = named.filter(({ words }) =>
    words.some((word) => words.length >= (most.get(word) ?? 0)),
  );
  return {
    people: new Set(meant.map(({ name }) => name)),
    words: new Set(meant.flatMap(({ words }) => words)),
  };
}
