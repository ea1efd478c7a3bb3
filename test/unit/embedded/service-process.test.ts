import { expect, test } from '@jest/globals';
import { serviceServer } from '../../../embedded/processes/service-process.ts';
import type { ServiceName } from '../../../embedded/names.ts';

const specOf = (name: ServiceName) =>
  serviceServer(
    { name, script: `/${name}.ts`, env: {}, isReady: async () => true },
    { path: '/data', logFile: (of) => `/data/${of}.log` },
  );

test('requests go before background work: the worker has a smaller share of the processors than the API', () => {
  expect(specOf('api').niceness ?? 0).toBe(0);
  expect(specOf('worker').niceness).toBeGreaterThan(0);
});
