/** Builds the bundles for the one-command start and for test runs; a single process never builds any. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EmbeddedError } from '../../embedded/index.ts';
import { hasPrograms } from '../programs/prebuilt.ts';
import { SOURCE_ROOT } from '../temporal/bundle-inputs.ts';
import { BundleError, loadWorkflowBundle } from '../temporal/prebuilt-bundle.ts';

const PROGRAM = fileURLToPath(new URL('../../bin/bundle.ts', import.meta.url));
const BUILT_WITHIN_MS = 120_000;

function stateOfBundle(): 'current' | BundleError['state'] {
  try {
    loadWorkflowBundle();
    return 'current';
  } catch (error) {
    if (error instanceof BundleError) return error.state;
    throw error;
  }
}

/** What has to be built, in words and as arguments of the program that builds; null where nothing has. */
function lackOf(needsPrograms: boolean): { readonly text: string; readonly args: string[] } | null {
  const state = stateOfBundle();
  if (state !== 'current') return { text: `The workflow bundle is ${state}.`, args: [] };
  if (!needsPrograms || hasPrograms()) return null;
  return { text: 'The programs are not bundled yet.', args: ['programs'] };
}

/**
 * Builds the bundles when one that is needed is missing or stale, and prints that first. Workflows always need theirs;
 * programs run from the sources without one. It runs in a process of its own, because the bundler holds a hundred
 * megabytes and the event loop, and this process watches over servers.
 * @throws EmbeddedError when it cannot be built.
 */
export async function ensureBundles(options: {
  readonly say: (line: string) => void;
  readonly needsPrograms?: boolean;
  readonly signal?: AbortSignal;
}): Promise<void> {
  const lack = lackOf(options.needsPrograms ?? true);
  if (lack === null) return;
  options.say(`${lack.text} Building takes a few seconds.`);
  try {
    await promisify(execFile)(process.execPath, [PROGRAM, ...lack.args], {
      // The bundler writes paths relative to its working directory.
      cwd: SOURCE_ROOT,
      timeout: BUILT_WITHIN_MS,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch {
    options.signal?.throwIfAborted();
    throw new EmbeddedError(
      'The start could not build its bundles. Run npm run bundle to see the cause.',
    );
  }
}
