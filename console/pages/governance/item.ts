/** One item as the desk shows it: the question, the statement, the evidence, and the decision with who reads it then. */
import { isDecidable } from '../../../domain/governance/items.ts';
import { ageWords, dueWords, stateBadge, statementText } from '../../design/elements.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import {
  EVIDENCE_WORDS,
  ITEM_STATE_WORDS,
  LEVEL_WORDS,
  questionWords,
  SENSITIVITY_WORDS,
  wordFor,
} from '../../design/words.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { decisionEntry } from '../decision-entry.ts';
import { reasonWords } from '../reasons.ts';
import { carriedHere, placeWords, QUEUE_PATH, walkAt, type WalkPlace } from './asked.ts';
import { askersWords, whatWasSaid, type Review } from './evidence.ts';
import { ITEM_KEYS, keyLegend } from './keys.ts';
import { mergeForm } from './merge.ts';
import { reviewForms } from './review-forms.ts';
import { scheduledNotice } from './undo.ts';
import { voidedWords } from './voided.ts';

/** Earlier decisions that the page of an item shows. */
const MOST_DECISIONS = 10;

/** An item in its walk: its place, and the addresses of those beside it. */
export interface ItemWalk {
  readonly place: WalkPlace | null;
  readonly next: Step | null;
  readonly previous: Step | null;
}

/** An item beside another: its id, and what its address has to say of the list that it stands in. */
export interface Step {
  readonly id: string;
  readonly here: Readonly<Record<string, string | null>>;
}

function addressOf(
  { query }: ViewerRequest,
  { here, id }: Step,
  walk: ItemWalk,
  by: number,
): string {
  const place = walk.place === null ? {} : { walk: walkAt(walk.place, by) };
  return `${QUEUE_PATH}/${id}${carriedHere(query, { kind: null, ...here, ...place })}`;
}

/** Links back to the list and to the items beside this one. */
function way(request: ViewerRequest, { kind }: Review, walk: ItemWalk): Markup {
  const { next, place, previous } = walk;
  return html`<nav class="actions way" aria-label="Items">
    <a class="button quiet" data-key="u" href="${QUEUE_PATH}${carriedHere(request.query, { kind })}"
      >List</a
    >
    ${previous === null ? NOTHING : html`<a class="button quiet" data-key="k" rel="prev" href="${addressOf(request, previous, walk, -1)}">Previous</a>`}
    ${next === null ? NOTHING : html`<a class="button quiet" data-key="j" rel="next" href="${addressOf(request, next, walk, 1)}">Next</a>`}
    <span class="quiet-text">${placeWords(place)}${next === null ? ' (the last one)' : ''}</span>
  </nav>`;
}

/** The parameters with which a decision leads on to the next item; from the last one back to the beginning of its list. */
function onward({ query }: ViewerRequest, { kind }: Review, { next, place }: ItemWalk): string {
  const walk = place === null ? {} : { walk: walkAt(place, next === null ? 0 : 1) };
  const on = next === null ? { kind, cursor: null, before: null } : { onto: next.id, ...next.here };
  return carriedHere(query, { ...walk, ...on });
}

function history({ decisions }: Review): Markup {
  if (decisions.length === 0) return NOTHING;
  return html`<section aria-labelledby="earlier">
    <h3 id="earlier">Decided before</h3>
    <ul class="list">
      ${decisions.slice(0, MOST_DECISIONS).map(decisionEntry)}
    </ul>
  </section>`;
}

function technicalIdentity(review: Review): Markup {
  const { knowledge, proposed_sensitivity: proposed } = review;
  return html`<details>
    <summary>Technical identity</summary>
    <dl class="facts">
      <dt>Item</dt>
      <dd><span class="code">${review.id}</span>, version ${review.version}</dd>
      <dt>Statement</dt>
      <dd><span class="code">${knowledge.id}</span></dd>
      <dt>Level</dt>
      <dd>${LEVEL_WORDS[knowledge.target_level]}</dd>
      <dt>Sensitivity</dt>
      <dd>
        ${SENSITIVITY_WORDS[knowledge.sensitivity]}${proposed === null ? NOTHING : `, after approval ${SENSITIVITY_WORDS[proposed]}`}
      </dd>
      <dt>Evidence</dt>
      <dd>${wordFor(EVIDENCE_WORDS, knowledge.evidence_level)}</dd>
    </dl>
  </details>`;
}

/** Whom or what the statement is about, and where. */
function whom({ knowledge, subject }: Review): Markup {
  const scope = html`${written(knowledge.scope_path)}`;
  if (subject !== null) return html`${written(subject.name)}, in ${scope}`;
  return knowledge.subject_peer_id === null ? scope : html`a person, in ${scope}`;
}

/** The way to the page of a statement that is believed; what only waits has no other page than this one. */
function pageLink({ id, sensitivity, state }: Review['knowledge']): Markup {
  if (state !== 'active' || sensitivity === 'restricted') return NOTHING;
  return html`<p><a href="/console/knowledge/${id}">Open the statement</a></p>`;
}

const CONSENT_WORDS: Readonly<Record<NonNullable<Review['consent']>, string>> = {
  pending: 'The person it is about has been asked whether it may be shared, and has not answered.',
  granted: 'The person it is about agreed that it is shared.',
  denied: 'The person it is about did not agree that it is shared.',
};

function head(review: Review, now: Date): Markup {
  const { consent, due_at: due, knowledge, opened_at: opened, reason, state } = review;
  const isOne = review.conflicts.length === 0;
  const isEnded = !isDecidable(review) && state !== 'awaiting_consent';
  return html`<h2 id="asked">${questionWords(review)}</h2>
    ${isOne ? html`<p class="statement">${statementText(knowledge.statement)}</p>` : NOTHING}
    <p class="meta">
      ${isOne ? stateBadge(knowledge.state) : NOTHING}
      <span>About ${whom(review)}</span>
      <span>asked ${ageWords(opened, now)} ago</span>
      <span title="${due}">${dueWords(due, now)}</span>
    </p>
    <p>
      ${isEnded ? html`This is settled: ${ITEM_STATE_WORDS[state]}.` : html`It ${ITEM_STATE_WORDS[state]}, because ${reasonWords(reason)}.`}
      ${consent === null ? NOTHING : CONSENT_WORDS[consent]}
    </p>`;
}

/** That an earlier decision came to nothing, so that the question is asked again. */
function voided(request: ViewerRequest, { voided: of }: Review): Markup {
  return of === null ? NOTHING : html`<div class="notice">${voidedWords(of, request)}</div>`;
}

/** What may be decided: nothing while an earlier decision waits to be carried out. */
async function decisions(request: ViewerRequest, review: Review, walk: ItemWalk): Promise<Markup> {
  if (review.scheduled !== null) return scheduledNotice(request, review);
  if (!isDecidable(review)) return NOTHING;
  const path = `${QUEUE_PATH}/${review.id}`;
  const lead = onward(request, review, walk);
  return html`${reviewForms(request, review, lead, await mergeForm(request, review, lead))}
  ${keyLegend({ ...request, path }, ITEM_KEYS)}`;
}

/** The item, with the evidence above the buttons, so that both are in view. */
export async function itemView(
  request: ViewerRequest,
  review: Review,
  walk: ItemWalk,
): Promise<Markup> {
  return html`<section class="sheet item" aria-labelledby="asked">
    ${way(request, review, walk)} ${voided(request, review)} ${head(review, request.now)}
    ${askersWords(review)} ${whatWasSaid(review)} ${await decisions(request, review, walk)}
    ${history(review)} ${technicalIdentity(review)} ${pageLink(review.knowledge)}
  </section>`;
}
