/** The page of a request that was refused. What is hidden and what is missing have the same page. */
import { html, type Markup } from '../design/markup.ts';
import { refusalWords } from '../design/words.ts';
import type { Problem, ShownPage } from '../design/page.ts';

const TITLES: Readonly<Partial<Record<Problem['code'], string>>> = {
  forbidden: 'Not permitted',
  not_found: 'Not found',
  method_not_allowed: 'Not possible here',
  conflict: 'Not done',
  invalid_request: 'Not accepted',
  rate_limited: 'Too many attempts',
  unavailable: 'Try again in a moment',
};

function advice({ code }: Problem): Markup {
  return code === 'forbidden'
    ? html`<p>
        If you sent a form, the page may have been open for too long, or you may be signed out. Open
        the page again and send the form once more.
      </p>`
    : html`<p>Go back, or begin at the overview.</p>`;
}

export function problemPage(problem: Problem): ShownPage {
  const title = TITLES[problem.code] ?? 'Something went wrong';
  return {
    title,
    main: html`<h1>${title}</h1>
      <p>${refusalWords(problem)}</p>
      ${advice(problem)}
      <p><a class="button" href="/console">Go to the overview</a></p>`,
  };
}
