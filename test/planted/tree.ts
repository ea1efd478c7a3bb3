/** A copy of a tree, outside of it, in which faults can be planted without touching what somebody works at. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { planted, type Fault } from './fault.ts';
import { testReport, type TestReport } from './verdict.ts';

/** A run that takes longer hangs: its fault is none that a test could tell of. */
const HANGS_MS = 1_800_000;
/** Neither sources nor tests; the packages are linked file by file. */
const LEFT_OUT = new Set(['.git', '.vouch', 'build', 'node_modules']);

export interface Copy extends Disposable {
  /** Runs the test file with the fault in the copy, or as it is; null where the run itself failed. */
  test(testFile: string, fault?: Fault): TestReport | null;
}

function reportIn(path: string): TestReport | null {
  try {
    return testReport.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/**
 * The packages of the tree, in the copy itself: a parser of documents may read nothing outside of its tree. Hard links, or
 * copies where the copy lies on another disk.
 */
function linkPackages(root: string, folder: string): void {
  const [from, to] = [realpathSync(join(root, 'node_modules')), join(folder, 'node_modules')];
  if (spawnSync('cp', ['-al', from, to]).status === 0) return;
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

function run(folder: string, testFile: string): TestReport | null {
  const reportPath = join(folder, 'planted.json');
  rmSync(reportPath, { force: true });
  const options = ['--ci', '--silent', '--json', `--outputFile=${reportPath}`];
  const words = ['test', '--', ...options, '--runTestsByPath', testFile];
  spawnSync('npm', words, { cwd: folder, stdio: 'ignore', timeout: HANGS_MS });
  return reportIn(reportPath);
}

/** Copies the tree at `root`. */
export function copyOf(root: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-planted-'));
  const isKept = (path: string): boolean => !LEFT_OUT.has(relative(root, path));
  cpSync(root, folder, { recursive: true, filter: isKept });
  linkPackages(root, folder);
  return {
    test(testFile, fault) {
      if (fault === undefined) return run(folder, testFile);
      const path = join(folder, fault.file);
      const source = readFileSync(path, 'utf8');
      writeFileSync(path, planted(fault, source));
      try {
        return run(folder, testFile);
      } finally {
        writeFileSync(path, source);
      }
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
