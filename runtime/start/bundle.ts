/** Builds the workflow bundle for the one-command start and for test runs; a single worker never builds it. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { EmbeddedError } from '../../embedded/index.ts';
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

/**
 * Builds the bundle when it is missing or stale, and prints that first. It runs in a process of its own, because the
 * bundler holds a hundred megabytes and the event loop, and this process watches over servers.
 * @throws EmbeddedError when it cannot be built.
 */
export async function ensureWorkflowBundle(options: {
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}): Promise<void> {
  const state = stateOfBundle();
  if (state === 'current') return;
  options.say(`The workflow bundle is ${state}. Building it takes a few seconds.`);
  try {
    await promisify(execFile)(process.execPath, [PROGRAM], {
      // The bundler writes paths relative to its working directory.
      cwd: SOURCE_ROOT,
      timeout: BUILT_WITHIN_MS,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch {
    options.signal?.throwIfAborted();
    throw new EmbeddedError(
      'The start could not build the workflow bundle. Run npm run bundle to see the cause.',
    );
  }
}
