/** Who reads a statement and by which rule, and by what right the viewer does. */
import { callerRoleAt, type Caller } from '../../../domain/identity/caller.ts';
import { parseScopePath } from '../../../domain/scopes/path.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { readersWords, type About } from '../../design/audience.ts';
import { AUDIENCE_BECAUSE, ROLE_WORDS } from '../../design/words.ts';

type Statement = OutputOf<'readStatement'>;

/** Whom the statement is about, as its page says it. */
export function aboutOfPage({ is_subject: isViewer, subject }: Statement): About {
  return isViewer ? 'viewer' : subject;
}

function roleLine(caller: Caller, scope: string): Markup[] {
  const path = parseScopePath(scope);
  const role = path === null ? null : callerRoleAt(caller, path);
  return role === null ? [] : [html`You are ${ROLE_WORDS[role]} in ${written(scope)}.`];
}

/** By what right the viewer sees it. */
function rights(caller: Caller, statement: Statement): readonly Markup[] {
  const { is_curator, is_subject, is_submitter, knowledge } = statement;
  return [
    ...(is_subject ? [html`It is about you.`] : []),
    ...(is_submitter ? [html`You said or relayed it.`] : []),
    ...(is_curator ? [html`You are a curator of its scope.`] : []),
    ...(is_curator ? [] : roleLine(caller, knowledge.scope_path)),
  ];
}

const PLURALS: Readonly<Record<NonNullable<Statement['addressed_to']>['roles'][number], string>> = {
  reader: 'readers of the scope',
  member: 'members of the scope',
  curator: 'curators of the scope',
  'account-admin': 'administrators of the account',
};

/** Whom it was said to, by name. */
function addressees({ addressed_to: named }: Statement): Markup {
  if (named === null) return NOTHING;
  const each = [
    ...named.peers.map(({ name }) => written(name)),
    ...named.circles.map((name) => html`the circle ${written(name)}`),
    ...named.roles.map((role) => html`${PLURALS[role]}`),
  ];
  if (each.length === 0) return html`<p>It was said to nobody who is still here.</p>`;
  return html`<p>It was said to:</p>
    <ul>
      ${each.map((one) => html`<li>${one}</li>`)}
    </ul>`;
}

/** The sheet. `caller` is the viewer. */
export function audienceSheet(caller: Caller, statement: Statement): Markup {
  const { audience, audience_reason: reason, knowledge } = statement;
  const readers = { readers: audience, scope_path: knowledge.scope_path };
  return html`<section class="sheet" aria-labelledby="who">
    <h2 id="who">Who reads it, and why</h2>
    <p>Read by ${readersWords(readers, aboutOfPage(statement))}.</p>
    ${addressees(statement)}
    <p class="hint">${AUDIENCE_BECAUSE[reason]}</p>
    <p>${rights(caller, statement).map((line) => html`${line} `)}</p>
    <p class="hint">
      While a question about it waits, the curators of ${written(knowledge.scope_path)} see it where
      they decide. The service records each look.
    </p>
  </section>`;
}
