/**
 * The bundle on disk: `npm run bundle` writes it with a manifest, a worker reads it. A worker never builds one:
 * what runs is what was built and tested, and the bundler stays out of processes that serve.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowBundle } from '@temporalio/worker';
import { z } from 'zod';
import { readIfPresent } from '../../embedded/private-files.ts';
import { bundleDigest, installedSdk, SOURCE_ROOT } from './bundle-inputs.ts';

export const BUNDLE_DIRECTORY = join(SOURCE_ROOT, 'build/workflows');

const CODE_FILE = 'bundle.cjs';
const MANIFEST_FILE = 'manifest.json';

const manifestShape = z.object({
  /** Of everything the bundle was made from, see `bundleDigest`. */
  digest: z.string(),
  /** SHA-256 of the code file: a file that was cut off or changed by hand is not this bundle. */
  codeSha256: z.string(),
  sdk: z.record(z.string(), z.string()),
  buildSha: z.string(),
});
export type BundleManifest = z.infer<typeof manifestShape>;

/** The worker must not start. The message is complete. */
export class BundleError extends Error {
  override readonly name = 'BundleError';
  readonly state: 'missing' | 'stale';

  constructor(state: 'missing' | 'stale') {
    super(`The workflow bundle is ${state}: run npm run bundle.`);
    this.state = state;
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
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
 * text, not as a path: what was checked is what runs.
 * @throws BundleError when it is missing, or was made from anything else, or is not what was written.
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

/** Writes a bundle that was made from what has `digest` now. The manifest comes last: without it there is none. */
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
