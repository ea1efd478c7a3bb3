/** How a search went, in words: what looked, what could not, and what that means for the answer. */
import type { Component, ReasonClass } from '../../../domain/retrieval/outcomes.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { attributes, html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { KnowledgeAsked } from './asked.ts';

type Found = OutputOf<'search'>;

const PARTS: Readonly<Record<Component, string>> = {
  semantic: 'by meaning',
  lexical: 'by words',
  temporal: 'by time',
  entity_match: 'by names',
  salience_recency: 'by weight and date',
  relation_expand: 'by related names',
  candidate_filter: 'the check of permissions',
  reranker: 'the reranker',
};

const REASONS: Readonly<Record<ReasonClass, string>> = {
  disabled: 'is switched off',
  deadline_exhausted_before_start: 'had no time left',
  timeout: 'took too long',
  dependency_unavailable: 'could not reach its server',
  provider_error: 'got no answer from its model',
  invalid_result: 'gave something unusable',
  partial_rankings: 'saw only a part',
  applicability: 'had nothing to search for',
  authorization_filtered: 'left out statements that you may not see',
};

const POSTURES = {
  peer: 'You search the statements that you may see in this scope and above it.',
  public_only: 'You see public statements only.',
  internal: 'You see everything.',
} as const;

function trouble({ degraded, retrieval_outcomes: outcomes }: Found): Markup {
  if (!degraded) return NOTHING;
  const amiss = outcomes.filter(
    ({ reason_class: reason, status }) =>
      status === 'dropped' || (status === 'completed' && reason !== null),
  );
  return html`<p>The answer may be incomplete, because these parts of the search did not finish:</p>
    <ul>
      ${amiss.map(({ component, reason_class: reason }) => html`<li>${PARTS[component]}: ${reason === null ? 'did not run' : REASONS[reason]}</li>`)}
    </ul>`;
}

/** The parts of a search as words. */
export function ways(names: readonly Component[]): string {
  return names.map((name) => PARTS[name]).join(', ');
}

/** What a reader should know before believing the list. */
function cautions({ candidates, disagreement: of }: Found): readonly string[] {
  if (candidates.length === 0) return [];
  if (of.query_dependent_empty) {
    return [
      'Nothing matched your words, their meaning, a time or a name. The list shows the most salient statements of the scope. They may have nothing to do with your question.',
    ];
  }
  return [
    ...(of.low_score
      ? ['None of them matches well. Check whether they answer your question.']
      : []),
    ...(of.disjoint ? ['Each was found in one way only. The ways agree on none.'] : []),
  ];
}

function place({ asOf, scope }: KnowledgeAsked): Markup {
  return asOf === ''
    ? html`In ${written(scope)} and above it, as it is believed now.`
    : html`In ${written(scope)} and above it, as it was believed on ${asOf}. Statements that were
      withdrawn since are not shown.`;
}

/** The sheet above what was found. */
export function searchOutcome(answer: Found, asked: KnowledgeAsked): Markup {
  const { candidates, contributed_strategies: by, empty_strategies: without } = answer;
  const count = candidates.length;
  const found = count === 1 ? 'One was found' : `${count} were found`;
  const careful = cautions(answer);
  return html`<details class="sheet" ${attributes({ open: answer.degraded || careful.length > 0 })}>
    <summary>
      ${count === 0 ? 'Nothing was found' : found} in ${answer.latency_ms}
      ms${answer.degraded ? ', and the answer may be incomplete' : ''}
    </summary>
    ${trouble(answer)} ${careful.map((line) => html`<p>${line}</p>`)}
    <p>${place(asked)}</p>
    ${asked.level === null && asked.about === '' ? NOTHING : html`<p>A search cannot filter by person or level. Leave the words out to get a list.</p>`}
    ${asked.state === 'active' ? NOTHING : html`<p>A search finds only believed statements and ignores the chosen state.</p>`}
    ${by.length === 0 ? NOTHING : html`<p>Found ${ways(by)}.</p>`}
    ${without.length === 0 ? NOTHING : html`<p>Looked without a match: ${ways(without)}.</p>`}
    <p>${POSTURES[answer.reader_posture]}</p>
  </details>`;
}
