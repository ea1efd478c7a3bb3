/** What a search found, each with the ways that found it. Filters narrow what it found, and the page says so. */
import type { OutputOf } from '../../../operations/registry.ts';
import { empty, statementEntry } from '../../design/elements.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import type { KnowledgeAsked } from './asked.ts';
import { searchOutcome, ways } from './outcome.ts';

type Candidate = OutputOf<'search'>['candidates'][number];

/** Statements that a search gives where only some of them are shown. */
const MOST_FOUND = 100;

function entry(candidate: Candidate): Markup {
  const by = html`<span>found ${ways(candidate.strategies)}</span>`;
  if (candidate.candidate_type === 'knowledge') return statementEntry(candidate, by);
  return html`<li>
    <span class="title">${written(candidate.statement)}</span>
    <p class="meta">
      <span class="badge plain">Chunk of a document</span>
      <span>in ${written(candidate.scope_path)}</span> ${by}
    </p>
  </li>`;
}

/** Of what a search gives, kind and sensitivity are known. */
function fitsInto({ kind, sensitivity }: KnowledgeAsked): (candidate: Candidate) => boolean {
  return (candidate) =>
    candidate.candidate_type === 'knowledge' &&
    (kind === null || candidate.kind === kind) &&
    (sensitivity === null || candidate.sensitivity === sensitivity);
}

function narrowedLine(all: number, fit: number): Markup {
  return html`<p class="hint">
    ${fit} of the ${all} best results of the search fit${fit === 1 ? 's' : ''} the filters.
  </p>`;
}

/** Searches, and shows what was found. */
export async function found(request: ViewerRequest, asked: KnowledgeAsked): Promise<Markup> {
  const isSome = asked.kind !== null || asked.sensitivity !== null;
  const answer = await request.call('search', {
    query: asked.words,
    scope_path: asked.scope,
    limit: isSome ? MOST_FOUND : asked.size,
    as_of: asked.asOf,
  });
  const fit = isSome ? answer.candidates.filter(fitsInto(asked)) : answer.candidates;
  const shown = fit.slice(0, asked.size);
  return html`${searchOutcome(answer, asked)}
  ${isSome ? narrowedLine(answer.candidates.length, fit.length) : NOTHING}
  ${
    shown.length === 0
      ? empty(
          isSome && answer.candidates.length > 0
            ? 'Nothing fits these filters'
            : 'Nothing was found',
          'Use other or fewer words, remove filters, or choose a scope further down. No result does not mean that something is untrue.',
        )
      : html`<ul class="list sheet">
          ${shown.map(entry)}
        </ul>`
  }`;
}
