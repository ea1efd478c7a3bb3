/** The workflows as one script for the sandbox, made at every start of a worker from the sources themselves. */
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { Log } from '../logger.ts';
import { failureConverterPath, payloadConverterPath } from './data-converter.ts';
import { createSdkLogger } from './sdk-logger.ts';

const workflowsPath = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** Takes about a second. Throws when a workflow uses what the sandbox must not have. */
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
