/** Asks that a believed statement be shared more widely: where to, and who would see it there. */
import { audiencesOf } from '../../../domain/governance/audience.ts';
import { callerRoleAt, type Caller } from '../../../domain/identity/caller.ts';
import { roleCovers } from '../../../domain/identity/roles.ts';
import { parseScopePath, ROOT_PATH, scopeChain } from '../../../domain/scopes/path.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { readersWords, type About } from '../../design/audience.ts';
import { csrfField } from '../../design/forms.ts';
import { attributes, html, NOTHING, written, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { aboutOfPage } from './audience.ts';

type Knowledge = OutputOf<'readStatement'>['knowledge'];

/** The scopes above that of the statement in which the caller is curator too, the nearest first. */
function widerScopes(caller: Caller, { scope_path: text }: Knowledge): readonly string[] {
  const path = parseScopePath(text);
  if (path === null) return [];
  return scopeChain(path)
    .filter((step) => step !== path && roleCovers(callerRoleAt(caller, step), 'curator'))
    .toReversed();
}

function option(knowledge: Knowledge, about: About, path: string, isChosen: boolean): Markup {
  const { after } = audiencesOf({
    kind: 'gate_b',
    target_scope_path: path,
    target_level: path === ROOT_PATH ? 'account' : 'scope',
    proposed_sensitivity: null,
    knowledge,
  });
  return html`<p>
    <label class="option"
      ><input
        type="radio"
        name="target_scope_path"
        value="${path}"
        ${attributes({ checked: isChosen })}
      />
      ${path === ROOT_PATH ? 'The whole account' : written(path)}
      <span class="quiet-text">Then read by ${readersWords(after, about)}</span></label
    >
  </p>`;
}

/** The form; nothing for what cannot be shared more widely. */
export function promoteForm(
  { csrf, form, problem, viewer }: ViewerRequest,
  statement: OutputOf<'readStatement'>,
): Markup {
  const { knowledge } = statement;
  const isPlaced = knowledge.state === 'active' && knowledge.sensitivity !== 'restricted';
  if (!isPlaced || knowledge.scope_path === ROOT_PATH) return NOTHING;
  const scopes = widerScopes(viewer.caller, knowledge);
  if (scopes.length === 0) {
    return html`<p class="hint">
      To propose a wider scope, you must be a curator of that scope too.
    </p>`;
  }
  const chosen = form['target_scope_path'] ?? scopes[0];
  const isAsked = knowledge.sensitivity === 'personal' && knowledge.subject_peer_id !== null;
  return html`<details ${attributes({ open: problem !== null && 'target_scope_path' in form })}>
    <summary>Propose to share it more widely</summary>
    <form method="post" action="/console/knowledge/${knowledge.id}/promote">
      ${csrfField(csrf)}
      <fieldset>
        <legend>Scope to share it in</legend>
        ${scopes.map((path) => option(knowledge, aboutOfPage(statement), path, path === chosen))}
      </fieldset>
      <p class="hint">
        It stays as it is until a curator there
        approves${isAsked ? ', and until the person it is about agrees' : ''}.
      </p>
      <button class="quiet" type="submit">Ask</button>
    </form>
  </details>`;
}
