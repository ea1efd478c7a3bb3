/**
 * Some of many, chosen so that nothing is left out: of all things that have tags, few that together have every tag.
 * Greedy and without chance, so that a run does what the run before did.
 */

/** Things of `all` that have every tag which any of them has. The one with the most new tags is taken first. */
export function covering<T>(all: readonly T[], tagsOf: (one: T) => readonly string[]): T[] {
  const tagged = all.map((one) => ({ one, tags: new Set(tagsOf(one)) }));
  const open = new Set(tagged.flatMap(({ tags }) => [...tags]));
  const taken: T[] = [];
  while (open.size > 0) {
    const gains = tagged.map(({ tags }) => [...tags].filter((tag) => open.has(tag)).length);
    const best = tagged[gains.indexOf(Math.max(...gains))];
    if (best === undefined) break;
    for (const tag of best.tags) open.delete(tag);
    taken.push(best.one);
  }
  return taken;
}
