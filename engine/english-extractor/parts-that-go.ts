/** Which parts of a request tell of what is to go, and which of what is to stay. */

const PARTS =
  /[;:](?=\s)|,(?=\s)|(?:^|\s)[–—-](?=\s)|\s(?=(?:now that|since|because|so that|while|and|but|as|after|once|where|instead of)\s)/giu;

/** What stands in quotation marks is one thing. */
const QUOTED = /["“„«][^"“”„«»\n]{2,120}["”»]|(?<=^|[\s(])['‘][^'‘’\n]{2,120}['’](?=[\s.,;:)]|$)/gu;

/** Tells of what stays, not of what goes. */
const KEEPS =
  /\b(?:keep(?:s|ing)?|retain (?:only|just)|use[sd]?|using|replac(?:e[sd]?|ing)|instead|still say|may still|can still|(?:is|are) enough|stays?|remains?|(?:the )?(?:new|current|approved|valid|correct|right) (?:\p{L}+ ){0,3}(?:is|are|one|amount|figure|number|wording|token|room)|(?:is|are) (?:the )?(?:new|current|approved|valid|correct|right))\b/iu;
/** Says of what it names that it is to go, whatever else stands there. */
const GOES =
  /\b(?:not|no longer|never|stop|don['’]t) (?:to )?(?:be )?(?:keep|use|retain|remain|stay|kept|used)|\b(?:stays?|remains?) (?:deleted|unavailable|forgotten)|\binstead of\b/iu;

/** A part of a sentence, and where in it it begins. */
export interface PartThatGoes {
  readonly text: string;
  readonly start: number;
}

/** The parts of a sentence that tell of what goes: a part that tells of what stays is left out. */
export function partsThatGo(sentence: string): readonly PartThatGoes[] {
  const parts: PartThatGoes[] = [];
  let start = 0;
  const quoted = [...sentence.matchAll(QUOTED)].map(
    ({ 0: text, index }) => [index, index + text.length] as const,
  );
  const cuts = [...sentence.matchAll(PARTS)]
    .map(({ index }) => index)
    .filter((index) => !quoted.some(([from, until]) => from < index && index < until));
  for (const end of [...cuts, sentence.length]) {
    const text = sentence.slice(start, end);
    if (!KEEPS.test(text) || GOES.test(text)) parts.push({ text, start });
    start = end;
  }
  return parts;
}
