/** How a statement was believed over time, and what was decided about it. For its subject and its curators. */
import type { OutputOf } from '../../../operations/registry.ts';
import { percent, stateBadge, timeOf } from '../../design/elements.ts';
import { html, NOTHING, type Markup, type Value } from '../../design/markup.ts';
import { table } from '../../design/table.ts';
import {
  CHANNEL_WORDS,
  DECISION_WORDS,
  GATE_WORDS,
  SENSITIVITY_WORDS,
  STATE_WORDS,
  wordFor,
} from '../../design/words.ts';
import { reasonWords } from '../governance/reasons.ts';

type Statement = OutputOf<'readStatement'>;
type Period = Statement['history'][number];
type Decision = Statement['decisions'][number];

/** In the room of a column. */
const SHARED_WITH: Readonly<Record<Period['target_level'], string>> = {
  peer: 'its subject',
  scope: 'the scope',
  account: 'the account',
};

function periodCells(period: Period): readonly Value[] {
  return [
    stateBadge(period.state),
    timeOf(period.believed_from),
    period.believed_until === null ? 'now' : timeOf(period.believed_until),
    SHARED_WITH[period.target_level],
    SENSITIVITY_WORDS[period.sensitivity],
    percent(period.confidence),
  ];
}

function periods({ history }: Statement): Markup {
  return table({
    label: 'How it was believed',
    heads: ['State', 'From', 'Until', 'Shared with', 'Sensitivity', 'Sure'],
    rows: history.map(periodCells),
  });
}

/** A decision of people or rules, in words. */
export function decisionEntry(one: Decision): Markup {
  const moved =
    one.from_level === one.to_level ? '' : `, now shared with: ${SHARED_WITH[one.to_level]}`;
  return html`<li>
    <span>${wordFor(DECISION_WORDS, one.decision)}, because ${reasonWords(one.reason)}</span>
    <p class="meta">
      <span
        >${one.from_state === null ? 'new' : STATE_WORDS[one.from_state].name} →
        ${STATE_WORDS[one.to_state].name}${moved}</span
      >
      <span>${wordFor(CHANNEL_WORDS, one.channel)}</span>
      <span>${wordFor(GATE_WORDS, one.gate)}</span>
      <span>${timeOf(one.decided_at)}</span>
    </p>
  </li>`;
}

/** The sheet. Empty for a viewer who may see neither. */
export function historySheet(statement: Statement): Markup {
  const { decisions, history } = statement;
  if (history.length === 0 && decisions.length === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="history">
    <h2 id="history">History</h2>
    ${history.length === 0 ? html`<p class="quiet-text">The service has not believed it yet.</p>` : periods(statement)}
    <h3>Decisions</h3>
    ${
      decisions.length === 0
        ? html`<p class="quiet-text">Nobody has decided about it yet.</p>`
        : html`<ul class="list">
            ${decisions.map(decisionEntry)}
          </ul>`
    }
  </section>`;
}
