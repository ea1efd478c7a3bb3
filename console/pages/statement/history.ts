/** How a statement was believed over time, and what was decided about it. For its subject and its curators. */
import type { OutputOf } from '../../../operations/registry.ts';
import { percent, stateBadge, timeOf } from '../../design/elements.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
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

function periodRow(period: Period): Markup {
  return html`<tr>
    <td>${stateBadge(period.state)}</td>
    <td>${timeOf(period.believed_from)}</td>
    <td>${period.believed_until === null ? 'now' : timeOf(period.believed_until)}</td>
    <td>${SHARED_WITH[period.target_level]}</td>
    <td>${SENSITIVITY_WORDS[period.sensitivity]}</td>
    <td>${percent(period.confidence)}</td>
  </tr>`;
}

function periods({ history }: Statement): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="How it was believed">
    <table>
      <thead>
        <tr>
          <th scope="col">State</th>
          <th scope="col">From</th>
          <th scope="col">Until</th>
          <th scope="col">Shared with</th>
          <th scope="col">Sensitivity</th>
          <th scope="col">Sure</th>
        </tr>
      </thead>
      <tbody>
        ${history.map(periodRow)}
      </tbody>
    </table>
  </div>`;
}

function decisionEntry(one: Decision): Markup {
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

/** The sheet; nothing for who is told neither. */
export function historySheet(statement: Statement): Markup {
  const { decisions, history } = statement;
  if (history.length === 0 && decisions.length === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="history">
    <h2 id="history">History</h2>
    ${history.length === 0 ? html`<p class="quiet-text">It has not been believed yet.</p>` : periods(statement)}
    <h3>Decisions</h3>
    ${
      decisions.length === 0
        ? html`<p class="quiet-text">Nothing has been decided yet.</p>`
        : html`<ul class="list">
            ${decisions.map(decisionEntry)}
          </ul>`
    }
  </section>`;
}
