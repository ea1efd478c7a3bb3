import { expect, test } from '@jest/globals';
import { serviceServer } from '../../../embedded/processes/service-process.ts';
import type { EnvironmentVariables, ServiceName } from '../../../embedded/names.ts';

const specOf = (name: ServiceName, env: EnvironmentVariables = {}) =>
  serviceServer(
    { name, command: [`/${name}.ts`], env, isReady: async () => true },
    { path: '/data', logFile: (of) => `/data/${of}.log` },
  );

test('requests go before background work: the worker has a smaller share of the processors than the API', () => {
  expect(specOf('api').niceness ?? 0).toBe(0);
  expect(specOf('worker').niceness).toBeGreaterThan(0);
});

test('the heap of a process is bounded, by what the environment says where it says something', () => {
  expect(specOf('api').env).toEqual({ NODE_OPTIONS: '--max-old-space-size=768' });
  expect(specOf('worker', { NODE_OPTIONS: '--enable-source-maps' }).env).toEqual({
    NODE_OPTIONS: '--enable-source-maps --max-old-space-size=768',
  });
  const set = { NODE_OPTIONS: '--max-old-space-size=2048' };
  expect(specOf('worker', set).env).toEqual(set);
});
