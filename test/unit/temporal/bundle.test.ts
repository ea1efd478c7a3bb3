import { expect, test } from '@jest/globals';
import { builtinModules } from 'node:module';
import { bundleWorkflows } from '../../../runtime/temporal/bundle.ts';

const silentLog = { info() {}, warn() {}, error() {} };

test('the workflow bundle is small and holds nothing but rules, workflows and the SDK', async () => {
  const { code } = await bundleWorkflows(silentLog);
  const program = code.replace(/\/\/# sourceMappingURL=[\s\S]*$/, '');
  expect(program.length).toBeLessThan(700_000);

  const modules = [...program.matchAll(/^\/\*\*\*\/ "([^"]+)"/gm)].map((match) => match[1] ?? '');
  const ours = modules.filter((name) => !name.includes('node_modules'));
  expect(ours.length).toBeGreaterThan(8);
  const allowed = /^\.\/(?:domain|workflows|runtime\/temporal)\//;
  expect(ours.filter((name) => !allowed.test(name))).toEqual([]);
  const packages = new Set(
    modules.flatMap((name) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []),
  );
  for (const name of packages)
    expect(name).toMatch(/^(?:@temporalio\/(?:common|workflow)|nexus-rpc|ms|long)$/);
  for (const name of builtinModules) expect(modules).not.toContain(name);
  expect(program).not.toContain('node:fs');
}, 30_000);
