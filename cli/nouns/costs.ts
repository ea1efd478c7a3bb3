import { Option, type Command } from 'commander';
import { SERIES_KINDS } from '../../domain/models/pricing.ts';
import { MODEL_ROLES } from '../../domain/models/roles.ts';
import { showCosts } from '../../operations/models/costs.ts';
import { fillCommand } from '../command.ts';
import type { CliDependencies } from '../dependencies.ts';
import { pairs, table } from '../text.ts';

const MICROS = 1_000_000;
const usd = (micros: number): string => (micros / MICROS).toFixed(6);

type Costs = Parameters<
  NonNullable<Parameters<typeof fillCommand<typeof showCosts>>[2]['text']>
>[0];

function totals(costs: Costs): string {
  const { ingest_economics: economics, model_calls: day, storage } = costs;
  return pairs({
    'days (UTC)': `${costs.window.from} to ${costs.window.to}`,
    'estimated cost (USD)': usd(costs.estimated_model_cost_usd_micros),
    rates: `${costs.model_cost_profile.id} (${costs.model_cost_profile.source})`,
    calls: costs.event_count,
    'calls without a rate': costs.unpriced_calls,
    'calls in 24 hours': `${day.attempts}, ${day.errors} failed, ${day.unmetered} unmetered`,
    requests: costs.api_requests,
    observations: costs.ingests,
    'messages read by the extractor': economics.messages,
    'extractor calls a message': economics.calls_per_message,
    'tokens a message': economics.tokens_per_message,
    'USD a message': economics.cost_per_message,
    'extractions failed for good': costs.terminal_extraction_failures,
    'durable bytes': storage.durable_bytes,
    'operational bytes': storage.operational_bytes,
  });
}

function byRole({ tokens_by_role: roles }: Costs): string {
  return table(
    ['role', 'input tokens', 'output tokens', 'embedding tokens'],
    MODEL_ROLES.map((role) => [role, roles[role].input, roles[role].output, roles[role].embedding]),
  );
}

function budgets({ budgets: limits }: Costs): readonly string[] {
  if (limits.length === 0) return [];
  const headings = ['role', 'tokens', 'limit of today', 'used', 'reserved', 'begins anew'];
  return [
    table(
      headings,
      limits.map((each) => [
        each.role,
        each.metric,
        each.limit,
        each.used,
        each.reserved,
        each.resets_at,
      ]),
    ),
  ];
}

function series({ series: rows, series_by: by, series_more: more }: Costs): string {
  const headings = [by, 'calls', 'errors', 'unmetered', 'in', 'out', 'embedded', 'USD'];
  const shown = table(
    headings,
    rows.map((row) => [
      row.key,
      row.calls,
      row.errors,
      row.unmetered,
      row.input_tokens,
      row.output_tokens,
      row.embedding_tokens,
      usd(row.usd_micros),
    ]),
  );
  return more ? `${shown}\nThere is more than this table shows.` : shown;
}

/** `vouch costs`. */
export function addCosts(noun: Command, dependencies: CliDependencies): void {
  fillCommand(noun, dependencies, {
    operation: showCosts,
    options: (command) => {
      command
        .addOption(
          new Option('--by <what>', 'what a row of the table is about')
            .choices([...SERIES_KINDS])
            .default('day'),
        )
        .option('--from <day>', 'the first UTC day of the table, such as 2026-11-01')
        .option('--to <day>', 'the last UTC day of the table; unset takes today');
    },
    input: ({ by, from, to }) => ({ by, from, to }),
    text: (costs) => [totals(costs), byRole(costs), ...budgets(costs), series(costs)].join('\n\n'),
  });
}
