/** Bundles the workflows' sources into one script for the sandbox. Only builds and tests call the bundler. */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { Log } from '../../engine/logging/logger.ts';
import { failureConverterPath, payloadConverterPath } from './data-converter.ts';
import { createSdkLogger } from './sdk-logger.ts';

const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** Takes about a second. Throws when a workflow uses something that is not allowed in the sandbox. */
export async function bundleWorkflows(
  log: Log,
  options: { readonly interceptorModules?: readonly string[] } = {},
): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [...(options.interceptorModules ?? [])],
    payloadConverterPath,
    failureConverterPath,
    logger: createSdkLogger(log),
  });
}
