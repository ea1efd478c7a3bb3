/** The tools that models have: what each is for, and the last runs of this session. */
import { Refusal } from '../../../domain/errors.ts';
import { empty, timeOf } from '../../design/elements.ts';
import { csrfField } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { table } from '../../design/table.ts';
import { plainCode } from '../../design/words.ts';
import type { ViewerRequest, ShownPage, ToolCard } from '../../design/page.ts';
import { answerText, argumentsOf, contentText, requestText } from './arguments.ts';
import { toolFields } from './fields.ts';

export const TOOLS_PATH = '/console/tools';

const GROUPS: readonly { readonly name: string; readonly tools: readonly string[] }[] = [
  { name: 'Read memory', tools: ['get_context', 'search', 'ask', 'query_knowledge'] },
  { name: 'Write to memory', tools: ['ingest', 'resolve_validation', 'set_ask_preference'] },
  { name: 'Check', tools: ['check_readiness'] },
];

function entry({ description, name, title, whyNot }: ToolCard): Markup {
  return html`<li>
    <a class="title" href="${TOOLS_PATH}/${name}">${title}</a>
    <p class="meta">
      <code>${name}</code>
      ${whyNot === null ? NOTHING : html`<span class="badge plain">Not for you</span>`}
    </p>
    <p>${told(whyNot ?? `${description.split('. ', 1)[0] ?? ''}.`)}</p>
  </li>`;
}

/** The groups of the table above, and last whatever tool is in none of them. */
function groups(cards: readonly ToolCard[]): readonly { name: string; cards: ToolCard[] }[] {
  const named = new Set(GROUPS.flatMap(({ tools }) => tools));
  const others = { name: 'Others', cards: cards.filter(({ name }) => !named.has(name)) };
  return [
    ...GROUPS.map(({ name, tools }) => ({
      name,
      cards: cards.filter((card) => tools.includes(card.name)),
    })),
    others,
  ].filter((group) => group.cards.length > 0);
}

async function lastRuns({ call }: ViewerRequest): Promise<Markup> {
  const { items } = await call('readToolRuns', {});
  if (items.length === 0) {
    return empty(
      'No tool was run yet',
      'This list shows the last five runs of this session: the tool, the time, the outcome and the duration. The service does not keep the question and the answer.',
    );
  }
  return html`<div class="sheet">
    ${table({
      label: 'The last five runs',
      caption: 'The last five runs of this session. The service does not keep question and answer.',
      heads: ['Tool', 'When', 'Ended', 'Took'],
      rows: items.map(({ at, code, ms, tool }) => [
        html`<a href="${TOOLS_PATH}/${tool}"><code>${tool}</code></a>`,
        timeOf(at),
        html`<span class="badge ${code === 'ok' ? 'good' : 'bad'}">${plainCode(code)}</span>`,
        `${ms} ms`,
      ]),
    })}
  </div>`;
}

/** All tools. */
export async function showTools(request: ViewerRequest): Promise<ShownPage> {
  const runs = await lastRuns(request);
  return {
    title: 'Tools',
    main: html`<h1>Tools</h1>
      <p class="lead">
        The tools that agents use over <code>/mcp</code>. Open a tool to run it as yourself. You see
        the request and the answer, word for word.
      </p>
      <div class="sheets">
        ${groups(request.tools()).map(
          ({ cards, name }, at) =>
            html`<section class="sheet" aria-labelledby="group-${at}">
              <h2 id="group-${at}">${name}</h2>
              <ul class="list">
                ${cards.map(entry)}
              </ul>
            </section>`,
        )}
      </div>
      <h2>Last runs</h2>
      ${runs}`,
  };
}

interface Ran {
  readonly request: string;
  readonly answer: string;
  /** What a program reads of the answer. */
  readonly content: string;
  readonly code: string;
  readonly ms: number;
}

function cardOf({ params, tools }: ViewerRequest): ToolCard {
  const card = tools().find(({ name }) => name === params['tool']);
  if (card === undefined) throw new Refusal('not_found');
  return card;
}

/** A description with what stands between backticks as code. */
function told(text: string): Markup {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}

function outcome({ answer, code, content, ms, request }: Ran): Markup {
  return html`<section class="sheet" aria-labelledby="outcome" id="result">
    <h2 id="outcome">The answer</h2>
    <p role="status">
      <span class="badge ${code === 'ok' ? 'good' : 'bad'}"
        >${code === 'ok' ? 'Done' : plainCode(code)}</span
      >
      in ${ms} ms
    </p>
    <pre tabindex="0" aria-label="What came back"><code data-copy="">${content}</code></pre>
    <details>
      <summary>The call, as a client sends it</summary>
      <pre tabindex="0" aria-label="What was sent"><code data-copy="">${request}</code></pre>
    </details>
    <details>
      <summary>The whole answer, as a client gets it</summary>
      <p class="hint">It has the content twice: as text for models and as JSON for programs.</p>
      <pre tabindex="0" aria-label="What was answered"><code data-copy="">${answer}</code></pre>
    </details>
  </section>`;
}

function page({ csrf, form }: ViewerRequest, card: ToolCard, ran: Ran | null): ShownPage {
  const { description, name, reads, title, whyNot } = card;
  return {
    title,
    main: html`<p><a href="${TOOLS_PATH}">All tools</a></p>
      <h1>${title}</h1>
      <p class="meta">
        <code>${name}</code> <span>${reads ? 'It changes nothing.' : 'It writes to memory.'}</span>
      </p>
      ${ran === null ? NOTHING : outcome(ran)}
      <div class="two">
        ${
          whyNot === null
            ? html`<form class="sheet" method="post" action="${TOOLS_PATH}/${name}">
                ${csrfField(csrf)} ${toolFields(card, form)}
                <button type="submit">${reads ? 'Run' : 'Run, and write'}</button>
              </form>`
            : empty('You may not call this tool', whyNot)
        }
        <section class="sheet" aria-labelledby="told">
          <h2 id="told">The description for models</h2>
          <p>${told(description)}</p>
        </section>
      </div>`,
  };
}

/** One tool with its form. */
export function showTool(request: ViewerRequest): ShownPage {
  return page(request, cardOf(request), null);
}

/**
 * Runs the tool. The answer is shown at once and not after another request: nothing keeps it, so there is nothing to
 * lead to.
 */
export async function runTool(request: ViewerRequest): Promise<ShownPage> {
  const card = cardOf(request);
  const given = argumentsOf(card, request.form);
  const { code, ms, result } = await request.runTool(card.name, given);
  await request.call('noteToolRun', { tool: card.name, code, ms });
  return page(request, card, {
    request: requestText(card.name, given),
    answer: answerText(result),
    content: contentText(result),
    code,
    ms,
  });
}
