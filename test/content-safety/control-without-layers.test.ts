/** The control of the scanner: with nothing in the way it finds every text in every place it was let out to. */
import { beforeAll, expect, test } from '@jest/globals';
import { withoutLayers } from './control/layers.ts';
import { LEAKS } from './control/leaks.ts';
import { runControl, type ControlReport } from './control/run.ts';

let report: ControlReport;

beforeAll(async () => {
  report = await runControl(withoutLayers);
});

test.each(Object.entries(LEAKS))('%s is found in %j', (leak, places) => {
  const found = report.findings.filter(({ canary }) => canary === leak).map(({ place }) => place);
  expect(found).toEqual(expect.arrayContaining([...places]));
});
