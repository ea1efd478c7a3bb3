/**
 * No text makes the service take more than its share: every pattern of the product is analysed, and every function that
 * takes text is found in the sources and sent short pumps. Times are judged in the long run alone; the short one analyses
 * the patterns, those that functions make of texts too. `npm run bench:linearity` does it up to a mebibyte.
 */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { BOUNDED } from '../../../measure/bench/linearity/bounded.ts';
import { callsOf, isMeasured, NAMED, worksOf } from '../../../measure/bench/linearity/calls.ts';
import {
  findGrowth,
  matching,
  superlinear,
  type Finding,
} from '../../../measure/bench/linearity/check.ts';
import type { Work } from '../../../measure/bench/linearity/growth.ts';
import { watchPatterns } from '../../../measure/bench/linearity/made-patterns.ts';
import {
  alphabetOf,
  plainPumps,
  randomPumps,
  type Pump,
} from '../../../measure/bench/linearity/pumps.ts';
import {
  readSources,
  ROOT,
  textFunctions,
  writtenPatterns,
} from '../../../measure/bench/linearity/sources.ts';
import { inLongRun, sized } from '../../support/run.ts';

const SEED = 8;
/** A pump that costs the square of its length takes visible time here already. */
const SMALL_CHARS = sized({ short: 1_024, long: 2_048 });
const LARGE_CHARS = 8_192;
/** Three seconds for a mebibyte: what takes less is left to the long run. */
const NOTICEABLE_MS = 6;

const sources = readSources();
const patterns = writtenPatterns(sources);
const functions = textFunctions(sources).filter(isMeasured);
const measured = functions.filter(({ id }) => BOUNDED[id] === undefined);
const watched = watchPatterns();
afterAll(watched.stop);

test('the scan of the sources finds the patterns and functions to be measured', () => {
  expect(patterns.length).toBeGreaterThan(250);
  expect(functions.map(({ id }) => id)).toEqual(
    expect.arrayContaining([
      'engine/text/sentences.ts#sentencesOf',
      'engine/secrets/mask.ts#maskSecrets',
      'domain/extraction/validate-span.ts#locateSpan',
    ]),
  );
});

test('a quadratic pattern is detected, by analysis and, in the long run, by measuring', async () => {
  const quadratic = { at: 'here', source: '[.!?]+(?=\\s|$)', flags: 'gu' };
  expect(superlinear(quadratic)).not.toEqual([]);
  const pumps = plainPumps().filter(({ name }) => name === JSON.stringify(['a', '.', 'a']));
  expect(pumps).toHaveLength(1);
  const sizes = sized({ short: [], long: [[8_192, 32_768]] as const });
  for (const [small, large] of sizes) {
    const found = await findGrowth(matching(quadratic), pumps, small, large, NOTICEABLE_MS);
    expect(found.length).toBe(1);
  }
});

test('every function that takes text is measured, or is listed with the bound of its text', () => {
  const ids = new Set(functions.map(({ id }) => id));
  expect(measured.filter((found) => callsOf(found) === null).map(({ id }) => id)).toEqual([]);
  expect(NAMED.filter((id) => !ids.has(id))).toEqual([]);
  for (const { guard } of Object.values(BOUNDED)) {
    expect(readFileSync(`${ROOT}/${guard.file}`, 'utf8')).toContain(guard.words);
  }
});

const isJudgedByTime = sized({ short: false, long: true });

/** The growth of the work; nothing in the short run, which only sends it the pumps. */
async function growing(work: Work, pumps: readonly Pump[]): Promise<readonly Finding[]> {
  const noticeableMs = isJudgedByTime ? NOTICEABLE_MS : Number.POSITIVE_INFINITY;
  return findGrowth(work, pumps, SMALL_CHARS, LARGE_CHARS, noticeableMs);
}

describe('no pattern of the product', () => {
  test('can cost more than linear time in its text, by analysis', () => {
    const bad = patterns.filter((pattern) => superlinear(pattern).length > 0);
    expect(bad.map(({ at, source }) => `${at} ${source}`)).toEqual([]);
  });

  inLongRun(() => {
    test('costs more than linear time in its text, by measuring', async () => {
      const bad: string[] = [];
      for (const pattern of patterns) {
        const pumps = randomPumps(SEED, 6, alphabetOf(pattern.source));
        const found = await growing(matching(pattern), pumps);
        bad.push(...found.map(({ pump }) => `${pattern.at} ${pump}`));
      }
      expect(bad).toEqual([]);
    });
  });
});

test('no function that takes text costs more than linear time, nor does a pattern that it makes', async () => {
  const pumps = [...randomPumps(SEED, 2), ...plainPumps().filter((_, index) => index % 15 === 0)];
  const bad: string[] = [];
  for (const found of measured) {
    for (const work of await worksOf(found)) {
      const findings = await growing(work, pumps);
      bad.push(...findings.map(({ pump, growth }) => `${found.id} ${pump} ${growth.ratio}`));
    }
  }
  expect(bad).toEqual([]);
  expect(watched.seen.size).toBeGreaterThan(50);
  const made = [...watched.seen.values()].filter((pattern) => superlinear(pattern).length > 0);
  expect(made.map(({ at, source }) => `${at} ${source}`)).toEqual([]);
});
