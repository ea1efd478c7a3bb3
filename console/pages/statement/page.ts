/** One statement: what it says, whether it is believed, who may see it and why, where it comes from, and what to do. */
import type { OutputOf } from '../../../operations/registry.ts';
import { doneNotice, percent, stateBadge, statementText, timeOf } from '../../design/elements.ts';
import { errorSummary } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import {
  AUDIENCE_WORDS,
  EVIDENCE_WORDS,
  LEVEL_WORDS,
  plainCode,
  SENSITIVITY_WORDS,
  STATE_WORDS,
} from '../../design/words.ts';
import type { ViewerRequest, ShownPage } from '../../page.ts';
import { idIn } from '../refused.ts';
import { curatorForms } from './curator-forms.ts';
import { lineageSheet } from './lineage.ts';
import { subjectForms } from './subject-forms.ts';

type Statement = OutputOf<'readStatement'>;

export const STATEMENT_PATH = '/console/knowledge/:id';

const DONE = {
  confirmed: 'You have confirmed it.',
  contested: 'You have contested it. It is shown no more, and a curator has 24 hours to decide.',
  edited: 'This is the new wording. It keeps the sources of the old one.',
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

function head({ knowledge, standing_since: since }: Statement): Markup {
  const { means } = STATE_WORDS[knowledge.state];
  return html`<section class="sheet" aria-labelledby="says">
    <h1 class="statement" id="says">${statementText(knowledge.statement)}</h1>
    <p class="meta">
      ${stateBadge(knowledge.state)}
      ${since === null ? NOTHING : html`<span>since ${timeOf(since)}</span>`}
      <span>${percent(knowledge.confidence)} sure</span>
    </p>
    <p>${means}</p>
  </section>`;
}

function audience({
  audience: readers,
  is_curator: curator,
  is_subject: subject,
  knowledge,
}: Statement): Markup {
  const level = LEVEL_WORDS[knowledge.target_level];
  const why = [
    subject ? 'It is about you.' : null,
    curator ? 'You are curator of its scope.' : null,
  ].filter((line) => line !== null);
  return html`<section class="sheet" aria-labelledby="who">
    <h2 id="who">Who may see it, and why</h2>
    <p>${AUDIENCE_WORDS[readers]}</p>
    <dl class="facts">
      ${fact('State', STATE_WORDS[knowledge.state].name)}
      ${fact('Sensitivity', SENSITIVITY_WORDS[knowledge.sensitivity])}
      ${fact('It belongs to', level)} ${fact('Scope', written(knowledge.scope_path))}
      ${fact('You see it because', why.length === 0 ? 'you may read its scope, or said it.' : why.join(' '))}
    </dl>
  </section>`;
}

function facts({ knowledge, subject }: Statement): Markup {
  const { corroboration_count: speakers, source_count: sources } = knowledge;
  return html`<section class="sheet" aria-labelledby="facts">
    <h2 id="facts">Facts</h2>
    <dl class="facts">
      ${fact('About', subject === null ? 'the scope' : html`${written(subject.name)}`)}
      ${fact('Kind', plainCode(knowledge.kind))}
      ${fact('Evidence', EVIDENCE_WORDS[knowledge.evidence_level] ?? knowledge.evidence_level)}
      ${fact('Said by', speakers === 1 ? 'one speaker' : `${speakers} speakers`)}
      ${fact('Sources', sources)} ${timeFact('True from', knowledge.relevant_from)}
      ${timeFact('True until', knowledge.relevant_until)}
      ${timeFact('Recorded', knowledge.recorded_at)}
      ${timeFact('Shown until', knowledge.expires_at)}
      ${timeFact('To be checked', knowledge.revalidate_after)}
      ${fact('Replaces', knowledge.supersedes_id === null ? null : html`<a href="/console/knowledge/${knowledge.supersedes_id}">an earlier statement</a>`)}
      ${fact('Drawn by', html`<span class="code">${knowledge.extracting_provider} ${knowledge.extracting_model ?? ''}</span>`)}
      ${fact('Id', html`<span class="code" data-copy="">${knowledge.id}</span>`)}
    </dl>
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
    ${hidden > 0 ? html`<p class="quiet-text">${sources.length === 0 ? 'You were not there when it was said, so its words are not shown to you.' : `${hidden} more that are not shown to you here.`}</p>` : NOTHING}
  </section>`;
}

function historySheet({ decisions, history }: Statement): Markup {
  if (history.length === 0 && decisions.length === 0) return NOTHING;
  return html`<section class="sheet" aria-labelledby="history">
    <h2 id="history">History</h2>
    <div class="scroll" tabindex="0" role="region" aria-label="How it was believed">
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
          ${history.map(
            (period) =>
              html`<tr>
                <td>${stateBadge(period.state)}</td>
                <td>${timeOf(period.believed_from)}</td>
                <td>${period.believed_until === null ? 'now' : timeOf(period.believed_until)}</td>
                <td>${LEVEL_WORDS[period.target_level]}</td>
                <td>${SENSITIVITY_WORDS[period.sensitivity]}</td>
                <td>${percent(period.confidence)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <h3>Decisions</h3>
    ${
      decisions.length === 0
        ? html`<p class="quiet-text">Nothing has been decided yet.</p>`
        : html`<ul class="list">
            ${decisions.map(
              (one) =>
                html`<li>
                  <span>${plainCode(one.gate)}: ${plainCode(one.decision)}</span>
                  <p class="meta">
                    <span>${plainCode(one.reason)}</span>
                    <span
                      >${one.from_state === null ? 'new' : STATE_WORDS[one.from_state].name} →
                      ${STATE_WORDS[one.to_state].name}</span
                    >
                    <span>${plainCode(one.channel)}</span> <span>${timeOf(one.decided_at)}</span>
                  </p>
                </li>`,
            )}
          </ul>`
    }
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
          ${subjectForms(request, statement)} ${curatorForms(request, statement)}
          ${sourcesSheet(statement)} ${historySheet(statement)} ${lineage}
        </div>
        <div>${audience(statement)} ${facts(statement)}</div>
      </div>`,
  };
}
