/**
 * `npm run bundle`: makes the workflow bundle that workers load, and the bundles of the programs; with `programs` as its
 * argument, these alone.
 */
import { createLog } from '../engine/logging/logger.ts';
import { bundlePrograms } from '../runtime/programs/bundle.ts';
import { programsDigest } from '../runtime/programs/inputs.ts';
import { PROGRAMS } from '../runtime/programs/prebuilt.ts';
import { resolveBuildSha } from '../runtime/start/build.ts';
import { bundleDigest } from '../runtime/temporal/bundle-inputs.ts';
import { bundleWorkflows } from '../runtime/temporal/bundle.ts';
import { BUNDLE_DIRECTORY, writeWorkflowBundle } from '../runtime/temporal/prebuilt-bundle.ts';

// Computed before the sources are bundled: a change in between makes a bundle look stale, never current.
const ofPrograms = programsDigest();
if (process.argv[2] !== 'programs') {
  const digest = bundleDigest();
  const bundle = await bundleWorkflows(createLog({ level: 'warn', process: 'bundle' }));
  const buildSha = process.env['SERVICE_BUILD_SHA'] || resolveBuildSha();
  const { codeSha256 } = writeWorkflowBundle(bundle, { digest, buildSha });
  const shown = codeSha256.slice(0, 12);
  process.stdout.write(`The workflow bundle ${shown} is in ${BUNDLE_DIRECTORY}.\n`);
}
const folder = await bundlePrograms(ofPrograms);
process.stdout.write(`The programs ${PROGRAMS.join(', ')} are in ${folder}.\n`);
