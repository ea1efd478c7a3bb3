/** One circle: its members and who added each, and for the curators of its scope what changes and deletes it. */
import { holdsRoleAt } from '../../../domain/identity/caller.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { doneNotice, timeOf } from '../../design/elements.ts';
import { action, csrfField, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { Problem, ShownPage, ViewerRequest } from '../../design/page.ts';
import { table } from '../../design/table.ts';
import { idIn } from '../refused.ts';
import { withTypedKeys } from '../typed-keys.ts';
import { circlesAddress, CIRCLES_PATH, KEYS_HINT, memberCount, READS_EARLIER } from './words.ts';

const DONE = {
  created: 'You created the circle.',
  added: 'You added members. They read everything that is addressed to the circle.',
  removed: 'You removed the member, who reads nothing more through the circle.',
  unchanged: 'The circle was so already. Nothing was changed.',
} as const;

/** What was typed to add members, as the operation names it. */
const TYPED = 'add';

export type Circle = OutputOf<'readCircle'>;
type Member = Circle['members'][number];

function adder(member: Member): Markup {
  if (member.added_themself) return html`<span class="badge wait">Added themself</span>`;
  return member.added_by_peer_key === null
    ? html`<span class="quiet-text">an operator, or a person who was erased</span>`
    : html`${written(member.added_by_peer_key)}`;
}

function membersSheet({ csrf }: ViewerRequest, circle: Circle, isCurator: boolean): Markup {
  const { id, members } = circle;
  const heads = ['Member', 'Added by', 'Added', ...(isCurator ? ['Change'] : [])];
  const removal = (peer: string): Markup =>
    action({
      to: `${CIRCLES_PATH}/${id}/remove`,
      csrf,
      // Buttons of one name are told apart by who does not see the row.
      label: html`Remove<span class="hidden-text"> ${written(peer)}</span>`,
      hidden: { peer },
      kind: 'quiet',
    });
  return html`<section class="sheet" aria-labelledby="members">
    <h2 id="members">Members</h2>
    ${
      members.length === 0
        ? html`<p class="quiet-text">Nobody.</p>`
        : table({
            label: 'Members of the circle',
            heads,
            namesRows: true,
            rows: members.map((member) => [
              written(member.peer_key),
              adder(member),
              timeOf(member.added_at),
              ...(isCurator ? [removal(member.peer_key)] : []),
            ]),
          })
    }
  </section>`;
}

function curatorForms(
  { csrf, form }: ViewerRequest,
  { id }: Circle,
  faults: Problem | null,
): Markup {
  return html`<section class="sheet" aria-labelledby="add">
      <h2 id="add">Add members</h2>
      <p>${READS_EARLIER}</p>
      <form method="post" action="${CIRCLES_PATH}/${id}/add">
        ${csrfField(csrf)}
        ${field({ name: TYPED, label: 'New members', value: form[TYPED] ?? '', rows: 4, hint: KEYS_HINT, isRequired: true }, faults, 'members')}
        <button type="submit">Add</button>
      </form>
    </section>
    <section class="sheet" aria-labelledby="delete">
      <h2 id="delete">Delete the circle</h2>
      <p>
        Members to whom something was addressed through this circle alone read it no more. Nobody
        can bring that back: a new circle of the same name is another circle.
      </p>
      <details>
        <summary>Show the button</summary>
        ${action({ to: `${CIRCLES_PATH}/${id}/delete`, csrf, label: 'Delete this circle', kind: 'danger' })}
      </details>
    </section>`;
}

/** Shows the circle, and above it what a form has done or why it was refused. */
export async function showCircle(request: ViewerRequest): Promise<ShownPage> {
  const circle = await request.call('readCircle', { circle_id: idIn(request.params) });
  const { created_at: created, members, name, scope_path: scope } = circle;
  const isCurator = holdsRoleAt(request.viewer.caller, scope, 'curator');
  const typed = request.form[TYPED] ?? '';
  const problem = withTypedKeys(request.problem, { field: TYPED, list: TYPED, typed });
  return {
    title: 'Circle',
    main: html`<p>
        <a href="${circlesAddress(scope)}">Circles</a>
      </p>
      ${errorSummary({ problem })} ${problem === null ? doneNotice(request.query, DONE) : NOTHING}
      <h1>${written(name)}</h1>
      <p class="meta">
        <span>${memberCount(members.length)}</span> <span>in ${written(scope)} and below</span>
        <span>created ${timeOf(created)}</span>
      </p>
      ${membersSheet(request, circle, isCurator)}
      ${isCurator ? curatorForms(request, circle, problem) : NOTHING}`,
  };
}
