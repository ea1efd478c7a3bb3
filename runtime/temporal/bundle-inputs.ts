/**
 * The hash of everything that a workflow bundle is made from; cheap enough for every start, and without the bundler.
 * It covers more files than the bundle holds (all of `domain/`), so that none of the bundle's files is left out.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The folder that holds the sources, with a slash at its end. */
export const SOURCE_ROOT = fileURLToPath(new URL('../../', import.meta.url));

const FOLDERS = ['domain', 'workflows'];
/** The converters, and the file that holds the bundler's settings. */
const FILES = [
  'runtime/temporal/bundle.ts',
  'runtime/temporal/failure-converter.ts',
  'runtime/temporal/payload-converter.ts',
];
const PACKAGES = ['@temporalio/common', '@temporalio/worker', '@temporalio/workflow'];

const packageManifest = z.object({ version: z.string() });

/** Paths from `root`, with forward slashes, in an order that does not depend on the file system. */
export function bundleInputFiles(root = SOURCE_ROOT): string[] {
  const found = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  );
  return [...found, ...FILES].toSorted();
}

/** The versions of the SDK's packages that are installed, by name. */
export function installedSdk(): Readonly<Record<string, string>> {
  const require = createRequire(import.meta.url);
  return Object.fromEntries(
    PACKAGES.map((name) => {
      const path = require.resolve(`${name}/package.json`);
      return [name, packageManifest.parse(JSON.parse(readFileSync(path, 'utf8'))).version];
    }),
  );
}

/** In lower-case hex. */
export function sha256(data: Buffer | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The hash of sources, bundler settings and SDK: 64 hexadecimal characters. */
export function bundleDigest(
  root = SOURCE_ROOT,
  sdk: Readonly<Record<string, string>> = installedSdk(),
): string {
  const versions = Object.entries(sdk).map(([name, version]) => `${name} ${version}`);
  const files = bundleInputFiles(root).map(
    (path) => `${path} ${sha256(readFileSync(join(root, path)))}`,
  );
  return sha256([...versions.toSorted(), ...files].join('\n'));
}
