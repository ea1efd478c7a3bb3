/** One statement: what it says, whether it is believed, who may see it and why, where it comes from, and what to do. */
import type { Precision } from '../../../domain/statements/candidate.ts';
import { datedEnd } from '../../../domain/statements/validity-phrase.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { doneNotice, percent, stateBadge, statementText, timeOf } from '../../design/elements.ts';
import { errorSummary } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import {
  EVIDENCE_WORDS,
  KIND_WORDS,
  LEVEL_WORDS,
  questionWords,
  SENSITIVITY_WORDS,
  STATE_WORDS,
} from '../../design/words.ts';
import type { ViewerRequest, ShownPage } from '../../design/page.ts';
import { idIn } from '../refused.ts';
import { audienceSheet } from './audience.ts';
import { curatorForms } from './curator-forms.ts';
import { historySheet } from './history.ts';
import { lineageSheet } from './lineage.ts';
import { speakerForm } from './speaker-form.ts';
import { subjectForms } from './subject-forms.ts';

type Statement = OutputOf<'readStatement'>;

export const STATEMENT_PATH = '/console/knowledge/:id';

const DONE = {
  confirmed: 'You said that it is true.',
  contested:
    'You have contested it. Nobody but you and whoever said it reads it now. A curator decides within 24 hours.',
  withdrawn: 'You took back what you said.',
  promoted: 'The curators of the wider scope are asked. Until they approve it stays as it is.',
} as const;

function fact(name: string, value: Markup | string | number | null): Markup {
  if (value === null) return NOTHING;
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

function timeFact(name: string, iso: string | null): Markup {
  return fact(name, iso === null ? null : timeOf(iso));
}

/** An end of its validity, as precise as it was said: `2031-03` is a month, and no instant of any zone. */
function endFact(name: string, at: string | null, precision: Precision | null): Markup {
  if (at === null || precision === null || precision === 'time') return timeFact(name, at);
  return fact(name, datedEnd({ at, precision }));
}

/** That somebody asks about it, with the way to where that is decided; curators alone are told. */
function underReview({ reviews }: Statement): Markup {
  if (reviews.length === 0) return NOTHING;
  return html`<p>
    It is under review:
    ${reviews.map((review) => html`<a href="/governance/${review.id}">${questionWords(review)}</a> `)}
  </p>`;
}

function head(statement: Statement): Markup {
  const { knowledge, standing_since: since } = statement;
  const { means } = STATE_WORDS[knowledge.state];
  return html`<section class="sheet" aria-labelledby="says">
    <h1 class="statement" id="says">${statementText(knowledge.statement)}</h1>
    <p class="meta">
      ${stateBadge(knowledge.state)}
      ${since === null ? NOTHING : html`<span>since ${timeOf(since)}</span>`}
      <span>${percent(knowledge.confidence)} sure</span>
    </p>
    <p>${means}</p>
    ${underReview(statement)}
  </section>`;
}

/** What programs and rules go by; people have the same in words above. */
function technicalIdentity({ knowledge }: Statement): Markup {
  return html`<details>
    <summary>Technical identity</summary>
    <dl class="facts">
      ${fact('Id', html`<span class="code" data-copy="">${knowledge.id}</span>`)}
      ${fact('Level', LEVEL_WORDS[knowledge.target_level])}
      ${fact('Sensitivity', SENSITIVITY_WORDS[knowledge.sensitivity])}
      ${fact('Evidence', EVIDENCE_WORDS[knowledge.evidence_level] ?? knowledge.evidence_level)}
      ${fact('Drawn by', html`<span class="code">${knowledge.extracting_provider} ${knowledge.extracting_model ?? ''}</span>`)}
    </dl>
  </details>`;
}

function facts(statement: Statement): Markup {
  const { knowledge, subject } = statement;
  const { corroboration_count: speakers, source_count: sources } = knowledge;
  return html`<section class="sheet" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <dl class="facts">
      ${fact('About', subject === null ? 'the scope' : html`${written(subject.name)}`)}
      ${fact('Scope', written(knowledge.scope_path))} ${fact('Kind', KIND_WORDS[knowledge.kind])}
      ${fact('Said by', speakers === 1 ? 'one speaker' : `${speakers} speakers`)}
      ${fact('Sources', sources)}
      ${endFact('True from', knowledge.relevant_from, knowledge.relevant_from_precision)}
      ${endFact('True until', knowledge.relevant_until, knowledge.relevant_until_precision)}
      ${timeFact('Recorded', knowledge.recorded_at)}
      ${timeFact('Shown until', knowledge.expires_at)}
      ${timeFact('To be checked', knowledge.revalidate_after)}
      ${fact('Replaces', knowledge.supersedes_id === null ? null : html`<a href="/console/knowledge/${knowledge.supersedes_id}">an earlier statement</a>`)}
    </dl>
    ${technicalIdentity(statement)}
  </section>`;
}

function sourcesSheet({ knowledge, sources }: Statement): Markup {
  const hidden = knowledge.source_count - sources.length;
  return html`<section class="sheet" aria-labelledby="sources">
    <h2 id="sources">Where it comes from</h2>
    ${sources.map(
      (source) =>
        html`<article>
          <p class="meta">
            <span
              >${source.is_chunk ? html`document ${written(source.document_title ?? 'without a title')}` : written(source.speaker_name)}</span
            >
            <span>${timeOf(source.occurred_at)}</span>
          </p>
          <blockquote>
            <bdi class="written" dir="auto"
              >${source.before}${source.supports === '' ? NOTHING : html`<mark>${source.supports}</mark>`}${source.after}</bdi
            >
          </blockquote>
        </article>`,
    )}
    ${hidden > 0 ? html`<p class="quiet-text">${sources.length === 0 ? 'You were not there when it was said, so you do not see the words of its sources.' : `${hidden} more sources that you may not see.`}</p>` : NOTHING}
  </section>`;
}

/** Shows the statement, and above it what a form of the page has done or why it was refused. */
export async function showStatement(request: ViewerRequest): Promise<ShownPage> {
  const id = idIn(request.params);
  const statement = await request.call('readStatement', { knowledge_id: id });
  const lineage = await lineageSheet(request, statement);
  return {
    title: 'Statement',
    main: html`<p><a href="/console/knowledge">Knowledge</a></p>
      ${errorSummary(request)}
      ${request.problem === null ? doneNotice(request.query, DONE) : NOTHING} ${head(statement)}
      <div class="two">
        <div>
          ${subjectForms(request, statement)} ${speakerForm(request, statement)}
          ${curatorForms(request, statement)} ${sourcesSheet(statement)} ${historySheet(statement)}
        </div>
        <div>${audienceSheet(request.viewer.caller, statement)} ${facts(statement)}</div>
      </div>
      ${lineage}`,
  };
}
