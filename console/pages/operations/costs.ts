/** What the account used and holds, and what it would cost at the rates of the profile. */
import { SERIES_KINDS, type SeriesKind } from '../../../domain/models/pricing.ts';
import { MODEL_ROLES } from '../../../domain/models/roles.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { attributes, html, NOTHING, type Markup, type Value } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';
import { dollars, numeral, table } from './tables.ts';

type Costs = OutputOf<'readCosts'>;

/** Numbers of days to choose from. */
export const SPANS = [7, 30, 90, 365] as const;
export const DEFAULT_SPAN = 30;

export interface AskedSeries {
  readonly path: string;
  readonly by: SeriesKind;
  readonly days: (typeof SPANS)[number];
}

const HEADS: Readonly<Record<SeriesKind, string>> = {
  day: 'Day (UTC)',
  role: 'Role',
  model: 'Model',
  scope: 'Scope',
};

const known = (value: number | null, show: (value: number) => string): string =>
  value === null ? 'not known' : show(value);

function figures(costs: Costs): Markup {
  const { ingest_economics: economics, model_cost_profile: profile, storage } = costs;
  const perMessage = known(economics.cost_per_message_usd_micros, dollars);
  return table(
    'Figures',
    ['What', 'How much'],
    [
      ['Estimated cost', dollars(costs.estimated_model_cost_usd_micros)],
      [
        'Rates',
        `${profile.id}, ${profile.source === 'shipped' ? 'as shipped' : 'of the operator'}`,
      ],
      ['Calls', numeral(costs.event_count)],
      ['Calls without a rate', numeral(costs.unpriced_calls)],
      ['Requests', numeral(costs.api_requests)],
      ['Observations', numeral(costs.ingests)],
      ['Messages to extract from', numeral(economics.messages)],
      ['Calls to the extractor a message', known(economics.calls_per_message, numeral)],
      ['Tokens of the extractor a message', known(economics.tokens_per_message, numeral)],
      ['Cost of the extractor a message', perMessage],
      ['Extractions that failed for good', numeral(costs.terminal_extraction_failures)],
      ['Bytes of messages, statements, documents', numeral(storage.durable_bytes)],
      ['Bytes about the work of the service', numeral(storage.operational_bytes)],
    ],
  );
}

function roles({ tokens_by_role: tokens }: Costs): Markup {
  return table(
    'Tokens by role',
    ['Role', 'In', 'Out', 'Embedded'],
    MODEL_ROLES.map((role) => [
      plainCode(role),
      numeral(tokens[role].input),
      numeral(tokens[role].output),
      numeral(tokens[role].embedding),
    ]),
  );
}

function limits({ budgets }: Costs): Markup {
  if (budgets.length === 0) return NOTHING;
  return table(
    'Limits of today',
    ['Role', 'Tokens', 'Limit', 'Used', 'Reserved', 'Begins anew'],
    budgets.map((each): readonly Value[] => [
      each.role === '*' ? 'All' : plainCode(each.role),
      plainCode(each.metric),
      numeral(each.limit),
      numeral(each.used),
      numeral(each.reserved),
      each.resets_at,
    ]),
  );
}

function keyOf(key: string | null, by: SeriesKind): string {
  if (key === null) return 'several scopes at once';
  return by === 'role' ? plainCode(key) : key;
}

function tabs<T extends number | string>(
  label: string,
  choices: readonly T[],
  chosen: T,
  show: (choice: T) => { readonly href: string; readonly text: string },
): Markup {
  return html`<nav class="tabs" aria-label="${label}">
    ${choices.map((choice) => {
      const { href, text } = show(choice);
      const current = attributes({ 'aria-current': choice === chosen ? 'page' : null });
      return html`<a href="${href}" ${current}>${text}</a>`;
    })}
  </nav>`;
}

function series(costs: Costs, { by, days, path }: AskedSeries): Markup {
  const to = (of: SeriesKind, span: number): string => `${path}?by=${of}&days=${span}#usage`;
  const choices = html`${tabs('Days', SPANS, days, (span) => ({ href: to(by, span), text: `${span} days` }))}
  ${tabs('Rows', SERIES_KINDS, by, (of) => ({ href: to(of, days), text: `By ${of}` }))}`;
  if (costs.series.length === 0) {
    return html`${choices}
      <p class="quiet-text">The service has called no model in these days.</p>`;
  }
  return html`${choices}
  ${table(
    `Usage by ${by}`,
    [HEADS[by], 'Calls', 'Errors', 'Unmetered', 'In', 'Out', 'Embedded', 'Cost'],
    costs.series.map((row) => [
      keyOf(row.key, by),
      numeral(row.calls),
      numeral(row.errors),
      numeral(row.unmetered),
      numeral(row.input_tokens),
      numeral(row.output_tokens),
      numeral(row.embedding_tokens),
      dollars(row.usd_micros),
    ]),
  )}
  ${costs.series_more ? html`<p class="quiet-text">There is more than the table shows.</p>` : NOTHING}`;
}

/** The sheet of figures since `window.from`, with a table of the days that were asked for. */
export function costsSheet(costs: Costs, asked: AskedSeries): Markup {
  return html`<section class="sheet" aria-labelledby="usage">
    <h2 id="usage">Usage and costs</h2>
    <p>From ${costs.window.from} to ${costs.window.to}, by UTC days.</p>
    ${figures(costs)} ${roles(costs)} ${limits(costs)} ${series(costs, asked)}
    <p class="hint">
      The cost is an estimate at the rates of the profile, and no bill. A call is unmetered if its
      provider returned no number of tokens; it costs nothing here.
    </p>
  </section>`;
}
