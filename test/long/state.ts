/**
 * What the long run remembers from one start to the next: which suites were green on which sources, and with which seed. A
 * run that was interrupted, or that was red for a reason outside of the sources, goes on where it stopped and draws nothing
 * anew, so that what failed is tried with what it failed with.
 */
import { execFileSync } from 'node:child_process';
import { createHash, randomInt } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { ROOT } from '../architecture/source-tree.ts';

const STATE_FILE = join(ROOT, 'build/test-long.json');

const state = z.object({
  /** The commit, and what is changed since. */
  sources: z.string(),
  seed: z.int(),
  /** Seconds that each green suite took, by its name. */
  green: z.record(z.string(), z.number()),
});
export type LongState = z.infer<typeof state>;

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 30 });
}

/** Names the sources: the commit, with a digest of every change where there is one. */
export function sourcesNow(): string {
  const commit = git('rev-parse', 'HEAD').trim();
  const added = git('ls-files', '--others', '--exclude-standard', '-z').split('\0').filter(Boolean);
  const changes = [
    git('diff', 'HEAD', '--binary'),
    ...added.map((path) => `${path}\n${readFileSync(join(ROOT, path), 'latin1')}`),
  ].join('\n');
  if (changes === '') return commit;
  const digest = createHash('sha256').update(changes).digest('hex').slice(0, 16);
  return `${commit} and changes ${digest}`;
}

function remembered(path: string): LongState | null {
  try {
    return state.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Never written, or by another version: everything is to be done.
    return null;
  }
}

interface Beginning {
  readonly sources: string;
  readonly isFresh: boolean;
  readonly seed: number | null;
}

/** Where a run begins: where the last one on the same sources stopped, or anew. */
export function beginState(begun: Beginning, path: string = STATE_FILE): LongState {
  const before = remembered(path);
  const { isFresh, seed, sources } = begun;
  if (!isFresh && before?.sources === sources) return before;
  return { sources, seed: seed ?? randomInt(2 ** 31), green: {} };
}

/** Remembers it. */
export function saveState(now: LongState, path: string = STATE_FILE): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${JSON.stringify(now, null, 1)}\n`);
}
