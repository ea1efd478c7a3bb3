/** The paths of both converters; clients, workers and the bundler load them by path. */
import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';

export const payloadConverterPath = fileURLToPath(
  new URL('./payload-converter.ts', import.meta.url),
);
export const failureConverterPath = fileURLToPath(
  new URL('./failure-converter.ts', import.meta.url),
);

export const dataConverter: DataConverter = { payloadConverterPath, failureConverterPath };
