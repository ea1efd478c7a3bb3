/** What is known about the viewer, what the viewer was asked, and what the viewer may do with it. */
import { doneNotice, empty, pager, statementEntry } from '../../design/elements.ts';
import { csrfField, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest, ShownPage } from '../../page.ts';
import { asProblem } from '../refused.ts';
import { askedSheet } from './asked.ts';
import { ME_PATH } from './path.ts';

const PAGE_SIZE = 25;
/** What is typed before an erasure, so that no slip of the hand asks for one. */
export const ERASURE_WORD = 'erase';

const DONE = {
  redacted: 'It has been taken away. Its words are gone.',
  confirmed: 'You have confirmed it.',
  left: 'It stays as it is, and you are not asked again.',
  wished: 'You are asked as often as you want from now on.',
  granted: 'You have agreed. You may take that back at any time.',
  denied: 'You have not agreed. It will not be shared.',
} as const;

function passwordSheet({ csrf, problem }: ViewerRequest): Markup {
  return html`<section class="sheet" aria-labelledby="password">
    <h2 id="password">Your password</h2>
    <details>
      <summary>Change it</summary>
      <form method="post" action="${ME_PATH}/password">
        ${csrfField(csrf)}
        ${field({ name: 'old_password', label: 'Old password', type: 'password', autocomplete: 'current-password', isRequired: true }, problem, 'password')}
        ${field({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password', isRequired: true, hint: '12 characters or more.' }, problem, 'password')}
        <p class="hint">You are signed out everywhere, here too.</p>
        <button class="quiet" type="submit">Change the password</button>
      </form>
    </details>
  </section>`;
}

function erasureSheet({ csrf, problem }: ViewerRequest): Markup {
  return html`<section class="sheet" aria-labelledby="erasure">
    <h2 id="erasure">Have yourself erased</h2>
    <p>
      Everything that you said here and every statement about you is deleted. What others say about
      others stays. It cannot be undone, and you cannot sign in any more.
    </p>
    <details>
      <summary>Go on</summary>
      <form method="post" action="${ME_PATH}/erasure">
        ${csrfField(csrf)}
        <fieldset>
          <legend>What others know only from you</legend>
          <p>
            <label class="option"
              ><input type="radio" name="mode" value="proportionate" checked /> is kept as an empty
              row, without its words</label
            >
          </p>
          <p>
            <label class="option"
              ><input type="radio" name="mode" value="strict" /> is deleted too</label
            >
          </p>
        </fieldset>
        ${field({ name: 'confirm', label: `Type “${ERASURE_WORD}” to go on`, autocomplete: 'off', isRequired: true }, problem, 'erasure')}
        <button class="danger" type="submit">Erase me</button>
      </form>
    </details>
  </section>`;
}

async function ownList(request: ViewerRequest): Promise<Markup> {
  const cursor = request.query.get('cursor');
  const page = await request.call('listOwnKnowledge', { limit: PAGE_SIZE, cursor });
  if (page.items.length === 0) {
    return empty(
      'Nothing is stated about you',
      'When an agent passes on what you said, or others speak of you, it is listed here in every state, also before anybody else sees it.',
    );
  }
  return html`<ul class="list sheet">
      ${page.items.map((row) => statementEntry(row))}
    </ul>
    ${pager(ME_PATH, request.query, page.next_cursor)}`;
}

/** Shows the page, and above it what a form has done or why it was refused. */
export async function showMe(request: ViewerRequest): Promise<ShownPage> {
  const result = await ownList(request).catch(asProblem);
  const [list, ofList] = 'code' in result ? [NOTHING, result] : [result, null];
  const problem = request.problem ?? ofList;
  return {
    title: 'About me',
    main: html`<h1>About you</h1>
      ${errorSummary({ problem })} ${problem === null ? doneNotice(request.query, DONE) : NOTHING}
      <div class="two">
        <div>
          ${await askedSheet(request)}
          <h2>All that is stated about you</h2>
          <p class="lead">
            In all scopes and every state, the newest first. Open one to confirm it, to contest it,
            or to take it away.
          </p>
          ${list}
        </div>
        <div>${passwordSheet(request)}${erasureSheet(request)}</div>
      </div>`,
    ...(ofList === null ? {} : { status: 422 }),
  };
}
