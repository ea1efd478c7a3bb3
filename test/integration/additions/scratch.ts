/** A copy of the tree in a directory of its own, in which a test adds something as an engineer would. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../../architecture/source-tree.ts';
import { nestedRunEnvironment } from '../../support/environment.ts';

/**
 * A file that is added whole, or a text that is put in front of another, or in its place, which the file has once. A file that
 * is to be added is not there yet.
 */
export interface Edit {
  readonly file: string;
  readonly insert: string;
  readonly before?: string;
  readonly replace?: string | RegExp;
}

/** Files of the tree, those that are not committed yet too. */
const treeFiles = (): readonly string[] =>
  execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((name) => name !== '');

export class Scratch {
  readonly directory = mkdtempSync(join(tmpdir(), 'vouch-scratch-'));
  readonly #template = `template_${randomBytes(6).toString('hex')}`;

  constructor() {
    for (const name of treeFiles()) {
      const to = join(this.directory, name);
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(join(ROOT, name), to);
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.directory, 'node_modules'));
  }

  apply({ before, file, insert, replace }: Edit): void {
    const path = join(this.directory, file);
    const found = before ?? replace;
    if (found === undefined) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, insert, { flag: 'wx' });
      return;
    }
    const parts = readFileSync(path, 'utf8').split(found);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${found}`);
    writeFileSync(path, parts.join(before === undefined ? insert : `${insert}${before}`));
  }

  read(file: string): string {
    return readFileSync(join(this.directory, file), 'utf8');
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.directory, file), text);
  }

  /** Runs a program of the copy with Node. Answers what it prints; throws with that when it fails. */
  node(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
    return execFileSync(process.execPath, args, {
      cwd: this.directory,
      env: environment,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** What the program complains of; none when it ends well. */
  complaints(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
    try {
      this.node(args, environment);
      return '';
    } catch (error) {
      const { stderr, stdout } = Object(error);
      return `${String(stdout)}${String(stderr)}`;
    }
  }

  /** The compiler's complaints; none when the types are right. */
  typeErrors(): string {
    return this.complaints(['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json']);
  }

  /** What the tests of a project of the copy complain of, those whose path fits. `real` ones use the servers of this run. */
  testComplaints(project: 'pure' | 'real', paths: string): string {
    const jest = ['--import', './bin/compile-cache.mjs', 'node_modules/jest/bin/jest.js'];
    // One process: other tests run beside this one.
    const asked = [
      '--ci',
      '--maxWorkers=1',
      `--selectProjects=${project}`,
      `--testPathPatterns=${paths}`,
    ];
    return this.complaints(
      [...jest, ...asked],
      nestedRunEnvironment(this.directory, this.#template),
    );
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
