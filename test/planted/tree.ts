/** A copy of a tree, outside of it, in which faults can be planted without touching what somebody works at. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { planted, type Fault } from './fault.ts';
import { testReport, type TestReport } from './verdict.ts';

/** Neither sources nor tests; the packages are those of the tree itself. */
const LEFT_OUT = new Set(['.git', '.vouch', 'build', 'node_modules']);

export interface Copy extends Disposable {
  /** Runs the test files with the fault in the copy; null where the run itself failed. */
  testsWith(fault: Fault, testFiles: readonly string[]): TestReport | null;
}

function reportIn(path: string): TestReport | null {
  try {
    return testReport.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Copies the tree at `root`. */
export function copyOf(root: string): Copy {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-planted-'));
  const isKept = (path: string): boolean => !LEFT_OUT.has(relative(root, path));
  cpSync(root, folder, { recursive: true, filter: isKept });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return {
    testsWith(fault, testFiles) {
      const path = join(folder, fault.file);
      const source = readFileSync(path, 'utf8');
      const reportPath = join(folder, 'planted.json');
      rmSync(reportPath, { force: true });
      writeFileSync(path, planted(fault, source));
      const options = ['--ci', '--silent', '--json', `--outputFile=${reportPath}`];
      try {
        const run = ['test', '--', ...options, '--runTestsByPath', ...testFiles];
        spawnSync('npm', run, { cwd: folder, stdio: 'ignore' });
      } finally {
        writeFileSync(path, source);
      }
      return reportIn(reportPath);
    },
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
