/** The picture in words: each statement with its number, the names that it mentions and what it is tied to. */
import { excerptOf } from '../../../domain/text/excerpt.ts';
import { stateBadge } from '../../design/elements.ts';
import { html, written, type Markup } from '../../design/markup.ts';
import { table } from '../../design/table.ts';
import type { Graph } from './draw.ts';

/** Characters of a statement; its page has all of it. */
const LONGEST_TEXT = 240;

type Tie = Graph['ties'][number];

const OUT: Readonly<Record<Tie['kind'], string>> = {
  superseded_by: 'replaced by',
  derived_from: 'derived from',
  disagrees: 'disagrees with',
};
const IN: Readonly<Record<Tie['kind'], string>> = {
  superseded_by: 'replaces',
  derived_from: 'source of',
  disagrees: 'disagrees with',
};

/** For each statement "replaced by 12, disagrees with 3", by the numbers of the picture. */
export function tieWords({ statements, ties }: Pick<Graph, 'statements' | 'ties'>) {
  const number = new Map(statements.map(({ id }, at) => [id, at + 1]));
  const words = new Map<string, string[]>();
  const add = (id: string, text: string): void => {
    words.set(id, [...(words.get(id) ?? []), text]);
  };
  for (const { from, kind, to } of ties) {
    add(from, `${OUT[kind]} ${number.get(to)}`);
    add(to, `${IN[kind]} ${number.get(from)}`);
  }
  return new Map([...words].map(([id, of]) => [id, of.join(', ')]));
}

/** The table below the picture. */
export function graphTable(graph: Graph): Markup {
  const ties = tieWords(graph);
  const names = new Map<string, string[]>();
  for (const { name, statement_ids: ids } of graph.hubs) {
    for (const id of ids) names.set(id, [...(names.get(id) ?? []), name]);
  }
  return table({
    label: 'The picture as a table',
    caption: 'The same in words',
    heads: ['No.', 'Statement', 'State', 'Names', 'Tied to'],
    rows: graph.statements.map(({ id, scope_path: path, state, statement }, at) => [
      at + 1,
      html`<a href="/console/knowledge/${id}">${written(excerptOf(statement, LONGEST_TEXT))}</a>
        ${path === graph.scope_path ? '' : html`<p class="hint">in ${written(path)}</p>`}`,
      stateBadge(state),
      (names.get(id) ?? []).map((name, place) => html`${place === 0 ? '' : ', '}${written(name)}`),
      ties.get(id) ?? '',
    ]),
  });
}
