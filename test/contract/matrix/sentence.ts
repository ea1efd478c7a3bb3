/**
 * Where a row of the matrix comes from: a page, a section of it, and a few words that tell which sentence of the section is
 * meant. The pages are the interface, the decisions that complete it, and the facts they refer to.
 */
type Page = 'interface' | 'decisions' | 'facts';

/** As `decisions 5: the predicate`. */
export type Sentence = `${Page} ${string}: ${string}`;

/** The last section of each page, and those that have sections of their own. */
const SECTIONS: Readonly<Record<Page, { readonly last: number; readonly divided: boolean }>> = {
  interface: { last: 9, divided: false },
  decisions: { last: 29, divided: false },
  facts: { last: 18, divided: true },
};

const FORM = /^(interface|decisions|facts) (\d{1,2})(\.\d{1,2})?: ([A-Za-z][^:]{3,78})$/;

/** What is wrong with the name of a sentence; null when a reader can look it up. */
export function faultOfSentence(sentence: string): string | null {
  const [, page, section, part] = FORM.exec(sentence) ?? [];
  if (page === undefined) return `"${sentence}" does not name page, section and words`;
  const { divided, last } = SECTIONS[page as Page];
  const number = Number(section);
  if (number < 1 || number > last) return `"${sentence}": the page has no such section`;
  return part === undefined || divided ? null : `"${sentence}": the section has no parts`;
}
