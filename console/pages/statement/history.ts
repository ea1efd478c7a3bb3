/** How a statement was believed over time, and what was decided about it. For its subject and its curators. */
import type { OutputOf } from '../../../operations/registry.ts';
import { percent, stateBadge, timeOf } from '../../design/elements.ts';
import { html, NOTHING, type Markup, type Value } from '../../design/markup.ts';
import { table } from '../../design/table.ts';
import { readersOf, readersWords } from '../../design/audience.ts';
import { decisionEntry } from '../decision-entry.ts';
import { aboutOfPage } from './audience.ts';

type Statement = OutputOf<'readStatement'>;
type Period = Statement['history'][number];

function periodCells(statement: Statement, period: Period): readonly Value[] {
  const { sensitivity, state, target_level } = period;
  const then = readersOf(statement.knowledge, { state, sensitivity, target_level });
  // Where it was then is not told.
  const isNow = period.believed_until === null;
  const readers = isNow ? then : { ...then, scope_path: null };
  return [
    stateBadge(period.state),
    timeOf(period.believed_from),
    period.believed_until === null ? 'now' : timeOf(period.believed_until),
    readersWords(readers, aboutOfPage(statement)),
    percent(period.confidence),
  ];
}

function periods(statement: Statement): Markup {
  return table({
    label: 'How it was believed',
    heads: ['State', 'From', 'Until', 'Read by', 'Sure'],
    rows: statement.history.map((period) => periodCells(statement, period)),
  });
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
