/** The tabs of the desk: one for each kind of question, with how many wait and since when. */
import type { ItemKind } from '../../../domain/governance/items.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { attributes, html, NOTHING, type Markup } from '../../design/markup.ts';
import { ageWords } from '../../design/elements.ts';
import type { ViewRequest } from '../../design/page.ts';
import { FORGETTING_PATH } from '../forgetting/words.ts';
import { carried, QUEUE_PATH, TABS } from './asked.ts';

export type Summary = OutputOf<'summarizeReviews'>['kinds'];

/** What waits of the kind. */
export function waitingOf(summary: Summary, kind: ItemKind): Summary[number] | null {
  return summary.find((one) => one.kind === kind && one.count > 0) ?? null;
}

/** The first tab in which something waits; where nothing does, the new statements. */
export function firstTab(summary: Summary): ItemKind {
  return TABS.find(({ kind }) => waitingOf(summary, kind) !== null)?.kind ?? 'gate_a_b';
}

function counted(waiting: Summary[number] | null, now: Date): Markup {
  if (waiting === null) return html`<span class="quiet-text">0</span>`;
  const { count, is_capped: isCapped, oldest_at: since } = waiting;
  return html`<span class="quiet-text"
    >${count}${isCapped ? '+' : ''}${since === null ? NOTHING : ` · oldest ${ageWords(since, now)}`}</span
  >`;
}

/** The links to the tabs, that of `open` marked. */
export function tabs(
  { now, query }: Pick<ViewRequest, 'now' | 'query'>,
  summary: Summary,
  open: ItemKind,
): Markup {
  return html`<nav class="tabs" aria-label="Kinds of questions">
    ${TABS.map(
      ({ kind, name }) =>
        html`<a
          href="${QUEUE_PATH}${carried(query, { kind })}"
          ${attributes({ 'aria-current': kind === open ? 'page' : null })}
          >${name} ${counted(waitingOf(summary, kind), now)}</a
        > `,
    )}
    <a href="${FORGETTING_PATH}">To forget</a>
  </nav>`;
}
