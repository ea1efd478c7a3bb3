/** A copy of the product's files in a directory of its own, in which a test adds something as an engineer would. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, SOURCE_FOLDERS } from '../../architecture/source-tree.ts';

/** A file that is added whole, or a text that is put in front of another, which the file has once. */
export interface Edit {
  readonly file: string;
  readonly insert: string;
  readonly before?: string;
}

export class Scratch {
  readonly directory = mkdtempSync(join(tmpdir(), 'vouch-scratch-'));

  constructor() {
    for (const name of [...SOURCE_FOLDERS, 'docs', 'package.json', 'tsconfig.json']) {
      cpSync(join(ROOT, name), join(this.directory, name), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.directory, 'node_modules'));
  }

  apply({ file, insert, before }: Edit): void {
    const path = join(this.directory, file);
    if (before === undefined) return writeFileSync(path, insert, { flag: 'wx' });
    const parts = readFileSync(path, 'utf8').split(before);
    if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${before}`);
    writeFileSync(path, parts.join(`${insert}${before}`));
  }

  read(file: string): string {
    return readFileSync(join(this.directory, file), 'utf8');
  }

  /** Runs a program of the copy with Node. Answers what it prints; throws with that when it fails. */
  node(args: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
    return execFileSync(process.execPath, args, {
      cwd: this.directory,
      env: environment,
      encoding: 'utf8',
    });
  }

  /** The compiler's complaints; none when the types are right. */
  typeErrors(): string {
    try {
      return this.node(['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json']);
    } catch (error) {
      return String(Reflect.get(Object(error), 'stdout'));
    }
  }

  /** Writes the generated description of the API anew. */
  describeApi(): unknown {
    this.node(['bin/generate.ts']);
    return JSON.parse(this.read('docs/openapi.json'));
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}
