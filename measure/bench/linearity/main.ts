/**
 * Measures the time by length of every function that takes text, on its slowest pump: `npm run bench:linearity`. With
 * words it measures only functions with such a word in their ids: `npm run bench:linearity -- engine/secrets`. Without
 * words it writes `measure/bench/results/<day>-linearity.md`.
 */
import { writeFileSync } from 'node:fs';
import { BOUNDED } from './bounded.ts';
import { isMeasured, worksOf } from './calls.ts';
import { matching, superlinear } from './check.ts';
import { leastTime, MOST_GROWTH, RESOLUTION_MS } from './growth.ts';
import type { Work } from './growth.ts';
import { watchPatterns } from './made-patterns.ts';
import { alphabetOf, plainPumps, randomPumps } from './pumps.ts';
import type { Pump } from './pumps.ts';
import { readSources, ROOT, textFunctions, writtenPatterns } from './sources.ts';

const SEED = 1;
const RANDOM_PUMPS = 40;
const KIB = 1024;
/** Size of the texts that find the slowest pump; `SIZES` are those that time it. */
const LOOK_CHARS = 8 * KIB;
const SIZES = [64 * KIB, 256 * KIB, 1024 * KIB] as const;
/** How often times beyond the limit are measured again, because other work on the machine can only add time. */
const SECOND_LOOKS = 3;
const LIST_FROM_MS = 20;

interface Row {
  readonly name: string;
  readonly pump: string;
  readonly ms: readonly number[];
  /** Time for a character of the longest text by the time for one of the shortest; null below the resolution. */
  readonly ratio: number | null;
}

async function timed(work: Work, text: string, runs: number): Promise<number> {
  try {
    return await leastTime(work, text, runs);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    // The function refused the text, which takes no time.
    return 0;
  }
}

async function worstOf(work: Work, pumps: readonly Pump[]): Promise<Pump> {
  let worst = { pump: pumps[0] as Pump, ms: -1 };
  for (const pump of pumps) {
    const ms = await timed(work, pump.text(LOOK_CHARS), 2);
    if (ms > worst.ms) worst = { pump, ms };
  }
  return worst.pump;
}

function ratioOf(ms: readonly number[]): number | null {
  const [shortest = 0] = ms;
  const longest = ms.at(-1) ?? 0;
  if (longest < RESOLUTION_MS) return null;
  const growth = (SIZES.at(-1) ?? 1) / SIZES[0];
  return longest / growth / Math.max(shortest, RESOLUTION_MS);
}

async function measure(name: string, work: Work, pumps: readonly Pump[]): Promise<Row> {
  const pump = await worstOf(work, pumps);
  let ms: number[] = [];
  for (const size of SIZES) ms.push(await timed(work, pump.text(size), 2));
  for (let look = 0; look < SECOND_LOOKS && (ratioOf(ms) ?? 0) > MOST_GROWTH; look += 1) {
    const again: number[] = [];
    for (const size of SIZES) again.push(await timed(work, pump.text(size), 2));
    if ((ratioOf(again) ?? 0) < (ratioOf(ms) ?? 0)) ms = again;
  }
  return { name, pump: pump.name, ms, ratio: ratioOf(ms) };
}

function line({ name, pump, ms, ratio }: Row): string {
  const times = ms.map((value) => value.toFixed(0)).join(' | ');
  const shown = pump.replaceAll('|', '\\|').replaceAll('`', "'");
  return `| \`${name}\` | \`${shown}\` | ${times} | ${ratio === null ? '' : ratio.toFixed(2)} |`;
}

function report(rows: readonly Row[], counts: string): string {
  const slow = rows
    .filter(({ ms }) => (ms.at(-1) ?? 0) >= LIST_FROM_MS)
    .toSorted((a, b) => (b.ms.at(-1) ?? 0) - (a.ms.at(-1) ?? 0));
  const over = rows.filter(({ ratio }) => (ratio ?? 0) > MOST_GROWTH);
  return [
    `# ${new Date().toISOString().slice(0, 10)}, time by length`,
    '',
    `\`npm run bench:linearity\`, Node ${process.versions.node}. Milliseconds of processor, the least of several runs, on the`,
    'pump that takes most of all: what stands before, what is repeated, what stands behind. The ratio is the time for a',
    `character of 1 MiB by that of 64 KiB; it may be ${MOST_GROWTH}. ${counts}`,
    '',
    over.length === 0
      ? 'None is beyond the limit.'
      : `Beyond the limit: ${over.map(({ name }) => name).join(', ')}.`,
    '',
    `Those that take ${LIST_FROM_MS} ms or more for 1 MiB:`,
    '',
    '| function | pump | 64 KiB | 256 KiB | 1 MiB | ratio |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...slow.map(line),
    '',
  ].join('\n');
}

const wanted = process.argv.slice(2);
const watched = watchPatterns();
const sources = readSources();
const found = textFunctions(sources).filter(isMeasured);
const patterns = writtenPatterns(sources);
const pumps = [...plainPumps(), ...randomPumps(SEED, RANDOM_PUMPS)];
const rows: Row[] = [];
for (const each of found.filter(({ id }) => BOUNDED[id] === undefined)) {
  if (wanted.length > 0 && !wanted.some((word) => each.id.includes(word))) continue;
  const works = await worksOf(each);
  for (const [index, work] of works.entries()) {
    const name = works.length > 1 ? `${each.id} (${index + 1})` : each.id;
    const row = await measure(name, work, pumps);
    rows.push(row);
    if ((row.ratio ?? 0) > MOST_GROWTH) process.stdout.write(`${line(row)}\n`);
  }
}
const all = [...patterns, ...watched.seen.values()];
for (const pattern of wanted.length > 0 ? [] : all) {
  const own = randomPumps(SEED, 8, alphabetOf(pattern.source));
  rows.push(
    await measure(`/${pattern.source.slice(0, 40)}/ ${pattern.at}`, matching(pattern), own),
  );
}
const counts = `${found.length} functions and ${all.length} patterns were found; of the patterns the analysis objects to ${all.filter((pattern) => superlinear(pattern).length > 0).length}.`;
const text = report(rows, counts);
if (wanted.length === 0) {
  writeFileSync(
    `${ROOT}/measure/bench/results/${new Date().toISOString().slice(0, 10)}-linearity.md`,
    text,
  );
}
process.stdout.write(text);
