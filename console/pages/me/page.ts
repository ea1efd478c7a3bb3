/** What is known about the viewer, what the viewer was asked, and what the viewer may do with it. */
import { doneNotice, empty, pager, readEntry } from '../../design/elements.ts';
import { csrfField, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest, ShownPage } from '../../design/page.ts';
import { CIRCLES_PATH } from '../circles/words.ts';
import { asProblem } from '../refused.ts';
import { askedSheet } from './asked.ts';
import { ME_PATH } from './path.ts';

const PAGE_SIZE = 25;
/** What is typed before an erasure, so that no slip of the hand asks for one. */
export const ERASURE_WORD = 'erase';

const DONE = {
  redacted: 'You withdrew it. Nobody sees its text any more.',
  confirmed: 'You said that it is true.',
  contested:
    'You said that it is wrong. Nobody but you and whoever said it reads it now. A curator decides within 24 hours.',
  left: 'It stays as it is. The service does not ask you about it again.',
  wished: 'From now on the service asks you that often.',
  granted: 'You agreed. You can take your consent back at any time.',
  denied: 'You did not agree. The service does not share it.',
} as const;

const CIRCLES_SHEET = html`<section class="sheet" aria-labelledby="circles">
  <h2 id="circles">Your circles</h2>
  <p>
    Something may be addressed to a circle, a named list of people and agents. You read it while you
    are a member of the circle.
    <a href="${CIRCLES_PATH}">See your circles, scope by scope</a>
  </p>
</section>`;

function passwordSheet({ csrf, problem }: ViewerRequest): Markup {
  return html`<section class="sheet" aria-labelledby="password">
    <h2 id="password">Your password</h2>
    <details>
      <summary>Change it</summary>
      <form method="post" action="${ME_PATH}/password">
        ${csrfField(csrf)}
        ${field({ name: 'old_password', label: 'Old password', type: 'password', autocomplete: 'current-password', isRequired: true }, problem, 'password')}
        ${field({ name: 'new_password', label: 'New password', type: 'password', autocomplete: 'new-password', isRequired: true, hint: '12 characters or more.' }, problem, 'password')}
        <p class="hint">The change signs you out everywhere, here too.</p>
        <button class="quiet" type="submit">Change the password</button>
      </form>
    </details>
  </section>`;
}

function erasureSheet({ csrf, problem }: ViewerRequest): Markup {
  return html`<section class="sheet" aria-labelledby="erasure">
    <h2 id="erasure">Erase yourself</h2>
    <p>
      The service deletes everything that you said here and every statement about you. Statements by
      others about others stay. You cannot sign in any more. Nobody can undo an erasure.
    </p>
    <details>
      <summary>Show the form for the erasure</summary>
      <form method="post" action="${ME_PATH}/erasure">
        ${csrfField(csrf)}
        <fieldset>
          <legend>Statements about others that only you attest</legend>
          <p>
            <label class="option"
              ><input type="radio" name="mode" value="proportionate" checked /> Keep the row, delete
              the text</label
            >
          </p>
          <p>
            <label class="option"
              ><input type="radio" name="mode" value="strict" /> Delete the row too</label
            >
          </p>
        </fieldset>
        ${field({ name: 'confirm', label: `Type “${ERASURE_WORD}” to confirm`, autocomplete: 'off', isRequired: true }, problem, 'erasure')}
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
      'There are no statements about you',
      'When an agent records what you said, or others speak about you, the statements appear here in every state, also before anybody else sees them.',
    );
  }
  return html`<ul class="list sheet">
      ${page.items.map((row) => readEntry(row, request.viewer.caller.peerId))}
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
          <h2>All statements about you</h2>
          <p class="lead">
            Everything that is stated about you, wherever it was said, the newest first. Open a
            statement to say that it is true or wrong, or to withdraw it.
          </p>
          ${list}
        </div>
        <div>${CIRCLES_SHEET}${passwordSheet(request)}${erasureSheet(request)}</div>
      </div>`,
    ...(ofList === null ? {} : { status: 422 }),
  };
}
