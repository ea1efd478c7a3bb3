/** `npm run bundle`: makes the workflow bundle that workers load, and the bundles of the programs. */
import { createLog } from '../runtime/logger.ts';
import { bundlePrograms } from '../runtime/programs/bundle.ts';
import { programsDigest } from '../runtime/programs/inputs.ts';
import { PROGRAMS } from '../runtime/programs/prebuilt.ts';
import { resolveBuildSha } from '../runtime/start/build.ts';
import { bundleDigest } from '../runtime/temporal/bundle-inputs.ts';
import { bundleWorkflows } from '../runtime/temporal/bundle.ts';
import { BUNDLE_DIRECTORY, writeWorkflowBundle } from '../runtime/temporal/prebuilt-bundle.ts';

// Computed before the sources are bundled: a change in between makes a bundle look stale, never current.
const digest = bundleDigest();
const ofPrograms = programsDigest();
const bundle = await bundleWorkflows(createLog({ level: 'warn', process: 'bundle' }));
const buildSha = process.env['SERVICE_BUILD_SHA'] || resolveBuildSha();
const { codeSha256 } = writeWorkflowBundle(bundle, { digest, buildSha });
process.stdout.write(`The workflow bundle ${codeSha256.slice(0, 12)} is in ${BUNDLE_DIRECTORY}.\n`);
const folder = await bundlePrograms(ofPrograms);
process.stdout.write(`The programs ${PROGRAMS.join(', ')} are in ${folder}.\n`);
