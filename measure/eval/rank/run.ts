/** `npm run eval -- rank`: scores variants of the ranking on stored conversations, without any server. */
import { compare, kindsOf, ofKind, type Comparison, type Difference } from './comparison.ts';
import { readCorpora, together, type Corpus } from './corpus.ts';
import { FIGURE_NAMES, R10 } from './metrics.ts';
import {
  scoreElsewhere,
  scoreLeavingOneOut,
  type ScoredConversation,
  type Variant,
} from './variant.ts';
import { SERVICE_IDEAS } from './service-variants.ts';
import { BASELINE, VARIANTS } from './variants.ts';
import { wordNetVariants } from './wordnet-variants.ts';

export interface RankingOptions {
  /**
   * Names of variants (none means all), `--kinds`, `--against=<variant>`, `--languages` for xquad too,
   * `--wordnet=<folder>` for variants that read WordNet, `--together` for all conversations of a set as one.
   */
  readonly asked: readonly string[];
  readonly dataFolder: string;
  readonly say: (line: string) => void;
}

/** What a variant must reach on a set (recall at ten, percent): the published figures, and what the service is built on. */
const FLOORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  target: { locomo: 76.5, beam: 58 },
  ranker: { locomo: 80.5, beam: 60 },
};

const NAME = 26;
const SET = 10;

function signed(value: number): string {
  return `${value < 0 ? '' : '+'}${value.toFixed(1)}`;
}

function difference(name: string, found: Difference | null): string {
  if (found === null) return '';
  const { mean, low, high, better, of } = found;
  return `  ${name} ${signed(mean)} [${signed(low)}, ${signed(high)}] ${better}/${of}`;
}

function line(name: string, set: string, { figures, recall, reciprocalRank }: Comparison): string {
  const numbers = figures.map((value) => value.toFixed(1).padStart(6)).join('');
  const differences = `${difference('R@10', recall)}${difference('MRR', reciprocalRank)}`;
  return `${name.padEnd(NAME)}${set.padEnd(SET)}${numbers}${differences}`;
}

type Scored = ReadonlyMap<string, readonly ScoredConversation[]>;

/** The figures of a variant on each set, by the name of the set. */
function scoreAll(variant: Variant, tuning: readonly Corpus[], others: readonly Corpus[]): Scored {
  const sets = tuning.map(({ conversations }) => conversations);
  const left = scoreLeavingOneOut(variant, sets);
  return new Map([
    ...tuning.map(({ name }, at) => [name, left[at] ?? []] as const),
    ...others.map(
      ({ name, conversations }) => [name, scoreElsewhere(variant, sets, conversations)] as const,
    ),
  ]);
}

interface Reported {
  readonly variant: Variant;
  readonly scored: Scored;
  readonly baseline: Scored | null;
  readonly withKinds: boolean;
}

function* linesOf({ variant, scored, baseline, withKinds }: Reported): Generator<string> {
  for (const [set, conversations] of scored) {
    const against = baseline?.get(set) ?? null;
    yield line(variant.name, set, compare(conversations, against));
    if (!withKinds) continue;
    for (const kind of kindsOf(conversations)) {
      const part = compare(ofKind(conversations, kind), against && ofKind(against, kind));
      yield line(`  ${kind} (${part.questions})`, set, part);
    }
  }
}

function reachesFloors({ name }: Variant, scored: Scored): boolean {
  return Object.entries(FLOORS[name] ?? {}).every(([set, floor]) => {
    const conversations = scored.get(set);
    return conversations === undefined || (compare(conversations, null).figures[R10] ?? 0) >= floor;
  });
}

interface Request {
  /** All that can be asked for. */
  readonly known: readonly Variant[];
  /** What is asked for; null when something of it is unknown. */
  readonly ranking: Ranking | null;
}

interface Ranking {
  readonly variants: readonly Variant[];
  readonly baseline: Variant;
  readonly withKinds: boolean;
}

function valueOf(asked: readonly string[], option: string): string | undefined {
  return asked.find((word) => word.startsWith(`${option}=`))?.slice(option.length + 1);
}

function requestOf(asked: readonly string[]): Request {
  const folder = valueOf(asked, '--wordnet');
  const known = [
    ...VARIANTS,
    ...SERVICE_IDEAS,
    ...(folder === undefined ? [] : wordNetVariants(folder)),
  ];
  const named = (name: string): Variant | undefined => known.find((one) => one.name === name);
  const names = asked.filter((word) => !word.startsWith('--'));
  const variants = names.flatMap((name) => named(name) ?? []);
  const baseline = named(valueOf(asked, '--against') ?? BASELINE);
  if (variants.length !== names.length || baseline === undefined) return { known, ranking: null };
  const wanted = names.length === 0 ? known : variants;
  return { known, ranking: { variants: wanted, baseline, withKinds: asked.includes('--kinds') } };
}

interface Sets {
  /** Settings of variants are chosen by these. */
  readonly tuning: readonly Corpus[];
  readonly others: readonly Corpus[];
}

function readSets({ asked, dataFolder, say }: RankingOptions): Sets {
  const corpora = readCorpora(dataFolder);
  for (const [name, corpus] of Object.entries(corpora)) {
    if (corpus === null) say(`rank (${name}): skipped, no data`);
  }
  const read = [corpora.locomo, corpora.beam].filter((corpus) => corpus !== null);
  return {
    tuning: asked.includes('--together') ? read.map(together) : read,
    others: asked.includes('--languages') ? (corpora.xquad ?? []) : [],
  };
}

/** Answers the exit code: 0, 1 when a variant is below its floor, 2 for an unknown variant. */
export function runRanking(options: RankingOptions): 0 | 1 | 2 {
  const { asked, say } = options;
  const { known, ranking } = requestOf(asked);
  if (ranking === null) {
    say(
      'usage: npm run eval -- rank [<variant> …] [--kinds] [--languages] [--together] [--against=<variant>]',
    );
    for (const { name, about } of known) say(`  ${name.padEnd(NAME)}${about}`);
    return 2;
  }
  const { others, tuning } = readSets(options);
  if (tuning.length + others.length === 0) return 0;
  say(`${''.padEnd(NAME + SET)}${FIGURE_NAMES.map((name) => name.padStart(6)).join('')}`);
  const baseline = scoreAll(ranking.baseline, tuning, others);
  let isReached = true;
  for (const variant of ranking.variants) {
    const isBaseline = variant === ranking.baseline;
    const scored = isBaseline ? baseline : scoreAll(variant, tuning, others);
    isReached &&= reachesFloors(variant, scored);
    const reported = { variant, scored, baseline: isBaseline ? null : baseline };
    for (const text of linesOf({ ...reported, withKinds: ranking.withKinds })) say(text);
  }
  return isReached ? 0 : 1;
}
