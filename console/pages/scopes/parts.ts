/** Words and addresses that the pages of scopes share. */
import type { OutputOf } from '../../../operations/registry.ts';
import { html, type Markup } from '../../design/markup.ts';

export type ScopeItem = OutputOf<'listScopes'>['items'][number];
export type Count = ScopeItem['statements'];

export const SCOPES_PATH = '/console/scopes';
export const GRAPH_PATH = '/console/graph';

const address = (page: string, parameters: Readonly<Record<string, string>>): string =>
  `${page}?${new URLSearchParams(parameters).toString()}`;

export const scopeAddress = (path: string): string => address(SCOPES_PATH, { scope: path });
export const knowledgeAddress = (path: string): string =>
  address('/console/knowledge', { scope: path });
export const graphAddress = (path: string): string => address(GRAPH_PATH, { scope: path });

const GROUPED = new Intl.NumberFormat('en-US');

/** "no statement", "1 statement", "7 statements", "more than 1,000 statements". */
export function countWords({ count, more }: Count, one: string, several: string): string {
  if (more) return `more than ${GROUPED.format(count)} ${several}`;
  if (count === 0) return `no ${one}`;
  return count === 1 ? `1 ${one}` : `${GROUPED.format(count)} ${several}`;
}

/** What stands in the scope, as parts of a line. */
export function countsLine({ documents, links, sessions, statements }: ScopeItem): Markup {
  const parts = [
    countWords(statements, 'statement', 'statements'),
    countWords(documents, 'document', 'documents'),
    countWords(sessions, 'session', 'sessions'),
    ...(links === 0 ? [] : [countWords({ count: links, more: false }, 'link', 'links')]),
  ];
  return html`${parts.map((part) => html`<span>${part}</span> `)}`;
}
