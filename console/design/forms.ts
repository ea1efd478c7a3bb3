/** Forms: fields with labels, the token, and the problems of the form that the person sent. */
import { CSRF_FIELD } from '../session/csrf.ts';
import type { ViewRequest, Problem } from './page.ts';
import { attributes, fieldText, html, NOTHING, type Markup } from './markup.ts';
import { refusalWords } from './words.ts';

/** The hidden field that every form has. */
export function csrfField(csrf: string): Markup {
  return html`<input type="hidden" name="${CSRF_FIELD}" value="${csrf}" />`;
}

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'date' | 'datetime-local';
  readonly value?: string;
  readonly hint?: string;
  readonly autocomplete?: string;
  readonly isRequired?: boolean;
  readonly longest?: number;
  /** More than one line. */
  readonly rows?: number;
}

/** What is wrong with the field, if anything. */
function faultOf(name: string, problem: Problem | null): string | null {
  return problem?.fields.find(({ path }) => path === name)?.message ?? null;
}

/** A field with its label, its hint and its problem. `within` tells the forms of one page apart. */
export function field(of: Field, problem: Problem | null = null, within = 'form'): Markup {
  const id = `${within}-${of.name}`;
  const fault = faultOf(of.name, problem);
  const about = [
    ...(of.hint === undefined ? [] : [`${id}-hint`]),
    ...(fault === null ? [] : [`${id}-fault`]),
  ];
  const common = attributes({
    id,
    name: of.name,
    required: of.isRequired,
    maxlength: of.longest,
    autocomplete: of.autocomplete,
    'aria-describedby': about.length === 0 ? null : about.join(' '),
    'aria-invalid': fault === null ? null : 'true',
  });
  const { rows, type = 'text', value = '' } = of;
  return html`<div class="field">
    <label for="${id}">${of.label}</label>
    ${of.hint === undefined ? NOTHING : html`<p class="hint" id="${id}-hint">${of.hint}</p>`}
    ${fault === null ? NOTHING : html`<p class="fault" id="${id}-fault">${of.label}: ${fault}.</p>`}
    ${
      rows === undefined
        ? html`<input type="${type}" value="${value}" dir="auto" ${common} />`
        : html`<textarea rows="${rows}" dir="auto" ${common}>${fieldText(value)}</textarea>`
    }
  </div>`;
}

export interface Choice {
  readonly value: string;
  readonly name: string;
}

/** A list to choose one of. */
export function choice(
  of: { readonly name: string; readonly label: string; readonly chosen: string },
  choices: readonly Choice[],
  within = 'form',
): Markup {
  const id = `${within}-${of.name}`;
  return html`<div class="field">
    <label for="${id}">${of.label}</label>
    <select id="${id}" name="${of.name}">
      ${choices.map(
        ({ name, value }) =>
          html`<option value="${value}" ${attributes({ selected: value === of.chosen })}>
            ${name}
          </option>`,
      )}
    </select>
  </div>`;
}

/** The reason for refusing a form, at the top of the page that shows the form again. */
export function errorSummary({ problem }: Pick<ViewRequest, 'problem'>): Markup {
  if (problem === null) return NOTHING;
  const faults = problem.fields.filter(({ path }) => path !== '');
  return html`<div class="summary" role="alert" tabindex="-1" id="error-summary">
    <h2>That did not work</h2>
    <p>${refusalWords(problem)}</p>
    ${
      faults.length === 0
        ? NOTHING
        : html`<ul>
            ${faults.map(({ message, path }) => html`<li>${path.replaceAll('_', ' ')}: ${message}</li>`)}
          </ul>`
    }
  </div>`;
}

export interface Action {
  readonly to: string;
  readonly csrf: string;
  readonly label: Markup | string;
  /** Further fields that the form sends as they are. */
  readonly hidden?: Readonly<Record<string, string | number>>;
  readonly kind?: 'usual' | 'quiet' | 'danger';
  /** The key that presses it, where the script runs. */
  readonly key?: string;
  /** What happens then, as the second half of the words on the button. */
  readonly after?: Markup | string;
}

/** The words on a button: what it does, and what happens then. */
export function told(label: Markup | string, after: Markup | string): Markup {
  return html`<b>${label}</b><span class="hidden-text">: </span><span class="then">${after}</span>`;
}

/** A form that is a button, with fields before it if there are any. */
export function action(of: Action, fields: Markup = NOTHING): Markup {
  const { csrf, hidden = {}, key, kind = 'usual', label, after, to } = of;
  const words = after === undefined ? label : told(label, after);
  return html`<form class="action" method="post" action="${to}">
    ${csrfField(csrf)}
    ${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${fields}
    <button
      class="${after === undefined ? kind : `${kind} told`}"
      type="submit"
      ${attributes({ 'data-key': key })}
    >
      ${words}
    </button>
  </form>`;
}
