/** What the report of a test run says of a planted fault. */
import { z } from 'zod';

/** The parts of the JSON report of Jest that are looked at. */
export const testReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});
export type TestReport = z.infer<typeof testReport>;

/**
 * `caught`: a test of the file failed. `missed`: all passed. `broken`: it did not run, as where the fault is none that
 * somebody could commit, or it fails without the fault as well.
 */
export type Verdict = 'caught' | 'missed' | 'broken';

/** The verdict of one test file, of which the report names the whole path. */
export function verdictOf(report: TestReport | null, testFile: string): Verdict {
  const ran = report?.testResults.find(({ name }) => name.endsWith(`/${testFile}`));
  if (ran === undefined || ran.assertionResults.length === 0) return 'broken';
  return ran.assertionResults.some(({ status }) => status === 'failed') ? 'caught' : 'missed';
}

export interface Row {
  readonly part: string;
  readonly testFile: string;
  readonly verdict: Verdict;
  readonly seconds: number;
}

/** The rows as a table in Markdown. */
export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ part, seconds, testFile, verdict }) =>
      `| ${part} | ${testFile} | ${verdict} | ${seconds.toFixed(0)} |`,
  );
  return ['| part | test file | verdict | seconds |', '| --- | --- | --- | ---: |', ...lines].join(
    '\n',
  );
}
