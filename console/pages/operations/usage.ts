/** What models were called for, day by day. */
import type { OutputOf } from '../../../operations/registry.ts';
import { attributes, html, NOTHING, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';
import { dollars, numeral, table } from './tables.ts';

type Usage = OutputOf<'readUsage'>;

/** Numbers of days to choose from. */
export const SPANS = [1, 7, 31] as const;

function totals(rows: Usage['rows']): Markup {
  const sum = (of: (row: Usage['rows'][number]) => number) =>
    rows.reduce((total, row) => total + of(row), 0);
  return html`<p>
    <strong>${numeral(sum(({ calls }) => calls))}</strong> calls,
    <strong>${numeral(sum(({ input_tokens: tokens }) => tokens))}</strong> tokens in,
    <strong>${numeral(sum(({ output_tokens: tokens }) => tokens))}</strong> out,
    <strong>${numeral(sum(({ embedding_tokens: tokens }) => tokens))}</strong> embedded.
  </p>`;
}

/** The sheet of the last days, of which `days` are shown. */
export function usageSheet({ days, more, rows }: Usage, path: string): Markup {
  return html`<section class="sheet" aria-labelledby="usage">
    <h2 id="usage">Usage</h2>
    <nav class="tabs" aria-label="Days">
      ${SPANS.map(
        (span) =>
          html`<a
            href="${path}?days=${span}#usage"
            ${attributes({ 'aria-current': span === days ? 'page' : null })}
            >${span === 1 ? 'Today' : `${span} days`}</a
          >`,
      )}
    </nav>
    ${
      rows.length === 0
        ? html`<p class="quiet-text">
            The service has called no model. Calls begin with the first observation.
          </p>`
        : html`${totals(rows)}
            ${table(
              'Usage by day, role and model',
              [
                'Day (UTC)',
                'Role',
                'Model',
                'Calls',
                'Errors',
                'In',
                'Out',
                'Embedded',
                'Unmetered',
                'Cost',
              ],
              rows.map((row) => [
                row.day,
                plainCode(row.role),
                `${row.provider} ${row.model}`,
                numeral(row.calls),
                numeral(row.errors),
                numeral(row.input_tokens),
                numeral(row.output_tokens),
                numeral(row.embedding_tokens),
                numeral(row.unmetered),
                dollars(row.usd_micros),
              ]),
            )}
            <p class="hint">
              The cost is known for calls under a budget with prices. A call is unmetered if its
              provider returned no number of tokens.
            </p>`
    }
    ${more ? html`<p class="quiet-text">The table counts only the latest calls. Choose fewer days.</p>` : NOTHING}
  </section>`;
}
