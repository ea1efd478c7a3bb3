/** Reads the source tree for the architecture tests: files, lines, imports. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCE_FOLDERS as PROGRAM_FOLDERS } from '../../runtime/programs/inputs.ts';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export const SOURCE_FOLDERS = [...PROGRAM_FOLDERS, 'measure'] as const;

export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly from: string;
  readonly specifier: string;
  /** Path from the root for a relative import, null for a package. */
  readonly target: string | null;
  readonly typeOnly: boolean;
  /** Whether it is loaded when it is needed, and not at once. */
  readonly isDynamic: boolean;
}

export function readFiles(folders: readonly string[], suffix: string): SourceFile[] {
  return folders.flatMap((folder) => {
    const absolute = join(ROOT, folder);
    let names: string[];
    try {
      names = readdirSync(absolute, { recursive: true, encoding: 'utf8' });
    } catch {
      return [];
    }
    return names
      .filter((name) => name.endsWith(suffix))
      .map((name) => {
        const path = join(absolute, name);
        return {
          path: relative(ROOT, path).replaceAll('\\', '/'),
          text: readFileSync(path, 'utf8'),
        };
      });
  });
}

const IMPORT =
  /^\s*(?:import|export)\s+(?<type>type\s)?(?<clause>[^'";]*?)\s*from\s*['"](?<from>[^'"]+)['"]|^\s*import\s*['"](?<bare>[^'"]+)['"]|\bimport\(\s*['"](?<dynamic>[^'"]+)['"]/gm;

function onlyTypesIn(clause: string): boolean {
  const braces = /^\{([\s\S]*)\}$/.exec(clause.trim());
  if (braces === null) return false;
  const names = (braces[1] ?? '').split(',').filter((name) => name.trim() !== '');
  return names.length > 0 && names.every((name) => /^\s*type\s/.test(name));
}

export function importsOf(file: SourceFile): Import[] {
  return [...file.text.matchAll(IMPORT)].map((match) => {
    const groups = match.groups ?? {};
    const specifier = groups['from'] ?? groups['bare'] ?? groups['dynamic'] ?? '';
    const target = specifier.startsWith('.')
      ? relative(ROOT, resolve(ROOT, dirname(file.path), specifier)).replaceAll('\\', '/')
      : null;
    const typeOnly = groups['type'] !== undefined || onlyTypesIn(groups['clause'] ?? '');
    const isDynamic = groups['dynamic'] !== undefined;
    return { from: file.path, specifier, target, typeOnly, isDynamic };
  });
}
