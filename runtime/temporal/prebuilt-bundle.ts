/**
 * The bundle on disk: `npm run bundle` writes it with a manifest, a worker reads it. A worker never builds one, so
 * that it runs the code that was built and tested, and never loads the bundler.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowBundle } from '@temporalio/worker';
import { z } from 'zod';
import { readIfPresent } from '../../embedded/private-files.ts';
import { bundleDigest, installedSdk, SOURCE_ROOT, sha256 } from './bundle-inputs.ts';

export const BUNDLE_DIRECTORY = join(SOURCE_ROOT, 'build/workflows');

const CODE_FILE = 'bundle.cjs';
const MANIFEST_FILE = 'manifest.json';

const manifestShape = z.object({
  /** The hash of everything the bundle was made from, see `bundleDigest`. */
  digest: z.string(),
  /** SHA-256 of the code file, to detect a file that was cut off or changed by hand. */
  codeSha256: z.string(),
  sdk: z.record(z.string(), z.string()),
  buildSha: z.string(),
});
export type BundleManifest = z.infer<typeof manifestShape>;

/** The worker must not start. The message tells the operator what to do. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
  readonly state: 'missing' | 'stale';

  constructor(state: 'missing' | 'stale') {
    super(`The workflow bundle is ${state}. Run npm run bundle.`);
    this.state = state;
  }
}

function read(directory: string, name: string): string {
  const text = readIfPresent(join(directory, name));
  if (text === undefined) throw new BundleError('missing');
  return text;
}

function parseManifest(text: string): BundleManifest {
  try {
    return manifestShape.parse(JSON.parse(text));
  } catch {
    throw new BundleError('stale');
  }
}

/**
 * The bundle that fits the sources and the SDK of this installation; takes milliseconds. It is handed over as
 * text, not as a path, so that exactly the checked text runs.
 * @throws BundleError when it is missing, was made from other sources, or was changed after it was written.
 */
export function loadWorkflowBundle(
  directory = BUNDLE_DIRECTORY,
  digest = bundleDigest(),
): WorkflowBundle {
  const manifest = parseManifest(read(directory, MANIFEST_FILE));
  const code = read(directory, CODE_FILE);
  if (manifest.digest !== digest || manifest.codeSha256 !== sha256(code)) {
    throw new BundleError('stale');
  }
  return { code };
}

function replaceFile(directory: string, name: string, text: string): void {
  const part = join(directory, `${name}.${process.pid}.part`);
  writeFileSync(part, text);
  renameSync(part, join(directory, name));
}

/** Writes a bundle that was made from inputs with this digest. The manifest is written last and completes it. */
export function writeWorkflowBundle(
  { code }: WorkflowBundle,
  made: { readonly digest: string; readonly buildSha: string },
  directory = BUNDLE_DIRECTORY,
): BundleManifest {
  mkdirSync(directory, { recursive: true });
  const manifest = { ...made, codeSha256: sha256(code), sdk: installedSdk() };
  replaceFile(directory, CODE_FILE, code);
  replaceFile(directory, MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}
