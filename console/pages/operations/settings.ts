/** What is set in the account: gate rules and preset, retrieval profiles; and what is kept back: circuits, budgets. */
import { OVERRIDABLE_PROFILES } from '../../../domain/retrieval/profile-override.ts';
import { RETRIEVAL_PROFILES } from '../../../domain/retrieval/strategies.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { percent, timeOf } from '../../design/elements.ts';
import { errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { LEVEL_WORDS, plainCode, SENSITIVITY_WORDS } from '../../design/words.ts';
import type { Problem } from '../../design/page.ts';
import { dollars, numeral, table } from './tables.ts';

type Settings = OutputOf<'readAccountSettings'>;
type RuleSet = OutputOf<'readGateRules'>;

const CIRCUIT_KINDS = { closed: 'good', open: 'bad', half_open: 'wait' } as const;
const CIRCUIT_WORDS = {
  closed: 'calls go through',
  open: 'calls are kept back',
  half_open: 'one call is tried',
} as const;

/** Providers that are kept back, and the budgets of extraction. */
export function limitsSheet({ budgets, circuits }: Settings): Markup {
  return html`<section class="sheet" aria-labelledby="limits">
    <h2 id="limits">Circuits and budgets</h2>
    ${
      circuits.length === 0
        ? html`<p class="quiet-text">No provider has failed yet: nothing is kept back.</p>`
        : table(
            'Circuits',
            ['Role', 'Model', 'State', 'Failures in a row', 'Until'],
            circuits.map((row) => [
              plainCode(row.role),
              `${row.provider} ${row.model}`,
              html`<span class="badge ${CIRCUIT_KINDS[row.state]}"
                >${CIRCUIT_WORDS[row.state]}</span
              >`,
              numeral(row.consecutive_failures),
              row.blocked_until === null ? '' : timeOf(row.blocked_until),
            ]),
          )
    }
    <h3>Extraction budgets</h3>
    ${
      budgets.length === 0
        ? html`<p class="quiet-text">
            None is registered. <code>PUT /api/v1/operations/extraction-budget</code> registers one.
          </p>`
        : table(
            'Extraction budgets',
            ['At and below', 'Calls', 'Tokens', 'Money', 'Until', 'State'],
            budgets.map((row) => [
              written(row.scope_root),
              `${numeral(row.requests_reserved)} of ${numeral(row.request_cap)}`,
              `${numeral(row.tokens_reserved)} of ${numeral(row.token_cap)}`,
              `${dollars(row.usd_micros_reserved)} of ${dollars(row.usd_micros_cap)}`,
              timeOf(row.deadline_at),
              row.closed_at === null ? 'open' : html`closed ${timeOf(row.closed_at)}`,
            ]),
          )
    }
  </section>`;
}

type RuleInForce = RuleSet['in_force'][number];

const KEPT_WORDS: Readonly<Record<RuleInForce['gate_a'], string>> = {
  auto_keep: 'by itself',
  auto_reject: 'never',
  human: 'a person decides',
};
const PLACED_WORDS: Readonly<Record<RuleInForce['gate_b'], string>> = {
  auto_place: 'by itself',
  human: 'a person decides',
};

function consentOf(rule: RuleInForce): string {
  if (rule.automatic_consent) return 'by the account';
  return rule.requires_consent ? 'asked for' : 'not asked for';
}

function sourceOf({ source, source_scope_path: at }: RuleInForce): Markup {
  if (source === 'scope') return html`${written(at ?? '')}`;
  return html`${source === 'account' ? 'the account' : 'built in'}`;
}

const afterDays = (days: number | null): string => (days === null ? 'never' : `after ${days} days`);

/** The columns of the table: the heading, and what stands under it. */
const SHOWN: readonly (readonly [
  heading: string,
  shown: (rule: RuleInForce) => Markup | string,
])[] = [
  ['Place', (rule) => LEVEL_WORDS[rule.target_level]],
  ['Sensitivity', (rule) => SENSITIVITY_WORDS[rule.sensitivity]],
  ['Kept', (rule) => KEPT_WORDS[rule.gate_a]],
  ['Placed', (rule) => PLACED_WORDS[rule.gate_b]],
  ['Evidence', (rule) => rule.minimum_evidence_level],
  ['Sure', (rule) => percent(rule.minimum_confidence)],
  ['Attested by', (rule) => numeral(rule.minimum_corroboration)],
  ['Consent', consentOf],
  ['Checked again', (rule) => afterDays(rule.revalidate_after_days)],
  ['From', sourceOf],
];

function rulesTable({ in_force: rules }: RuleSet): Markup {
  return table(
    'Gate rules in force',
    SHOWN.map(([heading]) => heading),
    rules.map((rule) => SHOWN.map(([, shown]) => shown(rule))),
  );
}

/** What gates do by themselves, in the account or at the scope that the address names. */
export function rulesSheet(
  { preset }: Settings,
  rules: RuleSet | Problem,
  asked: { readonly path: string; readonly scope: string; readonly days: number },
): Markup {
  const problem = 'code' in rules ? rules : null;
  return html`<section class="sheet" aria-labelledby="rules">
    <h2 id="rules">Gate rules</h2>
    <p>
      The preset of the account is <strong>${preset}</strong>. <code>vouch governance preset</code>
      changes it.
    </p>
    ${errorSummary({ problem })}
    <form class="filters" method="get" action="${asked.path}#rules">
      <input type="hidden" name="days" value="${asked.days}" />
      ${field({ name: 'scope', label: 'In force at', value: asked.scope, hint: 'A scope; empty: the account' })}
      <div class="send"><button class="quiet" type="submit">Show</button></div>
    </form>
    ${'code' in rules ? NOTHING : rulesTable(rules)}
  </section>`;
}

type Override = Settings['profile_overrides'][number];

const weights = (strategies: Iterable<readonly [string, number]>): string =>
  [...strategies].map(([name, weight]) => `${plainCode(name)} ${weight}`).join(', ');

function overrideRow(row: Override): readonly (Markup | string)[] {
  const { deadline_ms: deadline, profile, rerank, rrf_k: k, scope_path: at, strategies } = row;
  return [
    profile,
    at === null ? 'the account' : written(at),
    strategies === null ? 'as the profile' : weights(Object.entries(strategies)),
    deadline === null ? 'as the profile' : `${deadline} ms`,
    rerank === null ? 'as the profile' : rerank ? 'yes' : 'no',
    k === null ? 'as the profile' : String(k),
  ];
}

/** The profiles of searches as they are built, and what operators set in their place. */
export function profilesSheet({ profile_overrides: overrides }: Settings): Markup {
  const heads = ['Profile', 'At', 'Weights', 'Time', 'Reranked', 'k'];
  const built = OVERRIDABLE_PROFILES.map((name) => {
    const { deadlineMs, reranks, rrfK, strategies } = RETRIEVAL_PROFILES[name];
    return [
      name,
      'built in',
      weights(strategies),
      `${deadlineMs} ms`,
      reranks ? 'yes' : 'no',
      String(rrfK),
    ];
  });
  return html`<section class="sheet" aria-labelledby="profiles">
    <h2 id="profiles">Retrieval profiles</h2>
    ${table('Retrieval profiles', heads, [...built, ...overrides.map(overrideRow)])}
    <p class="hint">
      ${overrides.length === 0 ? 'Nothing is set in their place.' : 'The nearest one is in force.'}
      <code>vouch retrieval profile set</code> sets one.
    </p>
  </section>`;
}
