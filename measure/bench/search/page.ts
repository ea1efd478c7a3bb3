/** The figures of searches as a page. */
import type { Filled } from './fill.ts';
import type { Figure } from './measure.ts';

const ms = (value: number): string => value.toFixed(1);
const said = (value: number): string => Math.round(value).toLocaleString('en');

const nameOf = ({ clients, limit, profile }: Figure): string =>
  `${profile}, ${limit} candidates, ${clients} client${clients === 1 ? '' : 's'}`;

function byPart(
  title: string,
  figures: readonly Figure[],
  of: (figure: Figure) => ReadonlyMap<string, number>,
): string[] {
  const names = [...new Set(figures.flatMap((figure) => [...of(figure).keys()]))].filter((name) =>
    figures.some((figure) => (of(figure).get(name) ?? 0) >= 0.05),
  );
  return [
    '',
    `| ${title} | ${figures.map(nameOf).join(' | ')} |`,
    `| --- |${' --- |'.repeat(figures.length)}`,
    ...names.map(
      (name) =>
        `| ${name} | ${figures.map((figure) => ms(of(figure).get(name) ?? 0)).join(' | ')} |`,
    ),
  ];
}

/** MiB by process. */
interface Memory {
  readonly resident: ReadonlyMap<string, number>;
  readonly ofFiles: ReadonlyMap<string, number>;
}

/** The page, in Markdown. */
export function pageOf(
  of: { readonly statements: number; readonly embedder: string; readonly filled: Filled },
  figures: readonly Figure[],
  { ofFiles, resident }: Memory,
): string {
  const rate = of.filled.units / of.filled.seconds;
  return [
    `# Searches among ${said(of.statements)} statements in a hundred scopes, embedder ${of.embedder}`,
    '',
    `The rebuild wrote ${said(of.filled.units)} units in ${said(of.filled.seconds)} s, ${said(rate)} a second.`,
    '',
    '| search | p50 ms | p95 | p99 | a second | degraded | Qdrant alone p50 | p95 | p99 | ratio p50 | ratio p95 |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...figures.map((figure) => {
      const { raw, service } = figure;
      const cells = [
        nameOf(figure),
        ms(service.p50),
        ms(service.p95),
        ms(service.p99),
        said(service.perSecond),
        said(service.degraded),
        ...(raw === null
          ? ['', '', '', '', '']
          : [raw.p50, raw.p95, raw.p99, service.p50 / raw.p50, service.p95 / raw.p95].map(ms)),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
    ...byPart('processor ms a search', figures, ({ processor }) => processor),
    ...byPart('elapsed ms a search', figures, ({ parts }) => parts),
    '',
    '| process | MiB | of them pages of files |',
    '| --- | --- | --- |',
    ...[...resident].map(
      ([name, mib]) => `| ${name} | ${said(mib)} | ${said(ofFiles.get(name) ?? 0)} |`,
    ),
    '',
  ].join('\n');
}
