/**
 * Whether rankings stay as they are when the indexes are written again, and when another account holds very many units in
 * them: all places of all lists, with their scores.
 */
import { readCorpora, type Corpus } from '../rank/corpus.ts';
import { none, type Row } from '../report.ts';
import { DEEPEST, groundOf, rankingOf, type Ranking } from '../retrieval/asked.ts';
import { load, type Loaded } from '../retrieval/loaded.ts';
import type { Ability, Bench } from '../service/conversation.ts';

const FOREIGN_UNITS = 100_000;
/** Differences that are printed of each comparison. */
const SHOWN = 5;

interface Named {
  readonly asked: string;
  readonly ranking: Ranking;
}

/** Of each question a list of messages and one of statements. */
async function rankings({ retrieval }: Bench, all: readonly Loaded[]): Promise<readonly Named[]> {
  const lists: Named[] = [];
  for (const loaded of all) {
    const { scopePath } = loaded.place;
    for (const [at, { text }] of loaded.conversation.questions.entries()) {
      const asked = `${loaded.conversation.name} ${at}`;
      const messages = await rankingOf(retrieval, text, groundOf(loaded));
      const { candidates } = await retrieval.statements(text, { scopePath, limit: DEEPEST });
      const statements = candidates.map(({ fusion_score: score, id }) => [id, score] as const);
      lists.push({ asked: `${asked}, messages`, ranking: messages });
      lists.push({ asked: `${asked}, statements`, ranking: statements });
    }
  }
  return lists;
}

/** Where two lists differ first; null where they are the same. */
function difference(before: Ranking, after: Ranking): string | null {
  const places = Math.max(before.length, after.length);
  for (let place = 0; place < places; place += 1) {
    const [one, other] = [JSON.stringify(before[place]), JSON.stringify(after[place])];
    if (one !== other) return `at place ${place + 1}: ${one} became ${other}`;
  }
  return null;
}

function changed(what: string, before: readonly Named[], after: readonly Named[]): Row {
  const differences = before.flatMap(({ asked, ranking }, at) => {
    const found = difference(ranking, after[at]?.ranking ?? []);
    return found === null ? [] : [`${asked}, ${found}`];
  });
  for (const one of differences.slice(0, SHOWN)) process.stderr.write(`${what}: ${one}\n`);
  // The whole run takes long: what is known is said as soon as it is.
  process.stderr.write(`${what}: ${differences.length} of ${before.length} lists changed\n`);
  return none(`${what}: lists that changed`, differences.length);
}

async function measureOrder(bench: Bench, { conversations }: Corpus): Promise<readonly Row[]> {
  const all: Loaded[] = [];
  for (const one of conversations) all.push(await load(bench, one));
  await bench.quiet();
  const before = await rankings(bench, all);
  const again = changed('asked again', before, await rankings(bench, all));
  await bench.rebuild();
  await bench.quiet();
  const rebuilt = changed('rebuilt', before, await rankings(bench, all));
  await bench.addForeign(FOREIGN_UNITS);
  const beside = changed('beside 100,000 units', before, await rankings(bench, all));
  await bench.rebuild();
  await bench.quiet();
  const both = changed('rebuilt beside them', before, await rankings(bench, all));
  const places = before.reduce((sum, { ranking }) => sum + ranking.length, 0);
  return [
    { metric: 'lists of at most fifty', value: before.length, digits: 0, floor: 1 },
    { metric: 'places in them', value: places, digits: 0, floor: 1 },
    again,
    rebuilt,
    beside,
    both,
  ];
}

export const searchOrder: Ability = {
  title: 'search (order survives)',
  prepare(dataFolder) {
    const { locomo } = readCorpora(dataFolder);
    return locomo && ((bench) => measureOrder(bench, locomo));
  },
};
