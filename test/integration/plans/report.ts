/** The plans of a run as a page: what each scenario read at most, and for how many rows of use. */
import type { Measured } from './plan.ts';

export function report(messages: number, measured: readonly Measured[]): string {
  const byScenario = Map.groupBy(measured, ({ asked }) => asked);
  const lines = [...byScenario].map(([asked, plans]) => {
    const worst = plans.reduce((most, one) => (one.read > most.read ? one : most));
    const scanned = [...new Set(plans.flatMap((one) => one.scanned))].join(', ') || 'none';
    return `| ${asked} | ${plans.length} | ${worst.read} | ${worst.used} | ${scanned} |`;
  });
  return [
    `# Plans of hot paths, ${messages.toLocaleString('en')} messages and statements`,
    '',
    'Rows read by the statement that read most, and how many of them it answered, counted or changed.',
    '',
    '| asked | statements | rows read | rows of use | tables read whole |',
    '| --- | ---: | ---: | ---: | --- |',
    ...lines,
    '',
  ].join('\n');
}
