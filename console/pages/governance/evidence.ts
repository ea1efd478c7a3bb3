/** What speaks for a statement: each source in the talk that it stood in, and beside it what contradicts it. */
import type { OutputOf } from '../../../operations/registry.ts';
import { stateBadge, statementText, timeOf } from '../../design/elements.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';

export type Review = OutputOf<'readReview'>;
type Source = Review['sources'][number];
type Turn = Source['before'][number];
type Conflict = Review['conflicts'][number];

/** Sources on the page of an item, each with its turns. */
const MOST_SOURCES = 5;

const speakerOf = ({ speaker }: Pick<Turn, 'speaker'>): Markup =>
  speaker === null ? html`somebody` : written(speaker.name);

function turn(one: Turn): Markup {
  return html`<p class="turn">
    <span class="quiet-text">${speakerOf(one)}, ${timeOf(one.occurred_at)}:</span>
    ${written(one.excerpt)}
  </p>`;
}

function whence({ document, relay, speaker }: Omit<Source, 'before' | 'after'>): Markup {
  if (document !== null) {
    const { title, version } = document;
    return html`<span
      >in the document ${written(title ?? 'without a title')}, version ${version}</span
    >`;
  }
  if (relay === null || relay.key === speaker?.key) return NOTHING;
  return html`<span>passed on by ${written(relay.name)}</span>`;
}

function said(source: Omit<Source, 'before' | 'after'>): Markup {
  return html`<p class="meta">
      <strong>${speakerOf(source)}</strong> <span>${timeOf(source.occurred_at)}</span>
      ${whence(source)}
    </p>
    <blockquote>${written(source.excerpt)}</blockquote>`;
}

function inTurn(source: Source): Markup {
  return html`<article class="said">
    ${source.before.map(turn)} ${said(source)} ${source.after.map(turn)}
  </article>`;
}

function sourceList(sources: Review['sources']): Markup {
  if (sources.length === 0) {
    return html`<p class="quiet-text">
      You may read none of its sources: you curate none of the scopes that they were said in.
    </p>`;
  }
  const more = sources.length - MOST_SOURCES;

  return html`${sources.slice(0, MOST_SOURCES).map(inTurn)}
  ${more > 0 ? html`<p class="quiet-text">${more} more sources say the same.</p>` : NOTHING}`;
}

function other(row: Conflict): Markup {
  return html`<div class="side">
    <h3>The other one</h3>
    <p class="statement">${statementText(row.statement)}</p>
    <p class="meta">${stateBadge(row.state)} <span>in ${written(row.scope_path)}</span></p>
    ${row.sources.map(said)}
  </div>`;
}

const HIDDEN_OTHER = html`<p class="quiet-text">
  You may not read the statement that it contradicts: it stands in a scope that you do not curate.
</p>`;

/** The sources; where it contradicts another statement, the two side by side. */
export function whatWasSaid(review: Review): Markup {
  const { conflicts, knowledge, sources } = review;
  if (conflicts.length === 0) {
    return html`${review.conflict_knowledge_id === null ? NOTHING : HIDDEN_OTHER}
      <section aria-labelledby="evidence">
        <h3 id="evidence">What was said</h3>
        ${sourceList(sources)}
      </section>`;
  }
  return html`<section class="sides" aria-label="The two statements">
    <div class="side">
      <h3>This one</h3>
      <p class="statement">${statementText(knowledge.statement)}</p>
      <p class="meta">
        ${stateBadge(knowledge.state)} <span>in ${written(knowledge.scope_path)}</span>
      </p>
      ${sourceList(sources)}
    </div>
    ${conflicts.map(other)}
  </section>`;
}

/** What the person who contests it, or the curator who asks again, has said. */
export function askersWords({ kind, words }: Review): Markup {
  if (words === null) {
    return kind === 'contest'
      ? html`<p class="quiet-text">The person it is about did not say what is wrong with it.</p>`
      : NOTHING;
  }
  const { by, correction, reason, said_at: at } = words;
  return html`<section class="asked-why" aria-label="Why it is asked">
    <p class="meta">
      <strong>${by === null ? 'Somebody' : written(by.name)}</strong>
      <span>${timeOf(at)}</span>
    </p>
    ${reason === null ? NOTHING : html`<blockquote>${written(reason)}</blockquote>`}
    ${
      correction === null
        ? NOTHING
        : html`<p>It should say:</p>
            <blockquote>${written(correction)}</blockquote>`
    }
  </section>`;
}
