/** One scope: what stands in it, what it is linked to, and who holds a role there. */
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, written, type Markup, type Value } from '../../design/markup.ts';
import { table } from '../../design/table.ts';
import { ROLE_WORDS } from '../../design/words.ts';
import { circlesAddress } from '../circles/words.ts';
import { countWords, graphAddress, knowledgeAddress, scopeAddress } from './parts.ts';

type Scope = OutputOf<'readScope'>;
type Grant = Scope['grants'][number];

function facts({ scope }: Scope): Markup {
  const { documents, role, sessions, statements } = scope;
  return html`<dl class="facts">
    <dt>Your role</dt>
    <dd>${ROLE_WORDS[role]}</dd>
    <dt>You may see</dt>
    <dd>${countWords(statements, 'statement', 'statements')}</dd>
    <dt>Documents</dt>
    <dd>${countWords(documents, 'document', 'documents')}</dd>
    <dt>Sessions</dt>
    <dd>${countWords(sessions, 'session', 'sessions')}</dd>
  </dl>`;
}

function relations({ linked }: Scope): Markup {
  return html`<h3>Linked scopes</h3>
    ${
      linked.length === 0
        ? html`<p class="quiet-text">
            No scope that you may read is linked to it. An operator links two scopes with
            <code>vouch scope link</code>. A search that asks for links then reads both.
          </p>`
        : html`<ul class="list">
            ${linked.map((path) => html`<li><a href="${scopeAddress(path)}">${written(path)}</a></li>`)}
          </ul>`
    }`;
}

function holder({ peer_key: key, peer_name: name }: Grant): Markup {
  if (key === null) return html`<span class="quiet-text">A key without a peer</span>`;
  if (name === null || name === key) return written(key);
  return html`${written(name)} <span class="quiet-text">${written(key)}</span>`;
}

function grantCells(grant: Grant): readonly Value[] {
  const { effect, propagate, role, scope_path: path } = grant;
  return [
    holder(grant),
    effect === 'deny' ? html`<span class="badge bad">Denied</span>` : ROLE_WORDS[role],
    written(path),
    propagate ? 'and all below' : 'there alone',
  ];
}

function grantsTable({ grants, more_grants: more }: Scope): Markup {
  if (grants.length === 0) {
    return html`<p class="quiet-text">
      There is no grant here, and none above it in a scope that you curate. An operator gives a role
      with
      <code>vouch grant add</code>.
    </p>`;
  }
  return html`${table({
      label: 'Roles',
      heads: ['Who', 'Role', 'Given at', 'Holds'],
      rows: grants.map(grantCells),
    })}
    <p class="quiet-text">
      ${more ? 'There are more. The command vouch grant list shows all of them. ' : NOTHING}An
      operator gives and removes roles with <code>vouch grant add</code> and
      <code>vouch grant remove</code>. A denial overrides every role.
    </p>`;
}

function roles(scope: Scope): Markup {
  return html`<h3>Who holds a role</h3>
    ${
      scope.is_curator
        ? grantsTable(scope)
        : html`<p class="quiet-text">
            You are ${ROLE_WORDS[scope.scope.role]} here. Curators of the scope see all roles.
          </p>`
    }`;
}

/** The sheet of the scope. */
export function scopeSheet(scope: Scope): Markup {
  const { path } = scope.scope;
  return html`<section class="sheet" aria-labelledby="scope">
    <h2 id="scope">${written(path)}</h2>
    ${facts(scope)}
    <p class="actions">
      <a class="button" href="${graphAddress(path)}">See it as a picture</a>
      <a class="button quiet" href="${knowledgeAddress(path)}">See its statements</a>
      <a class="button quiet" href="${circlesAddress(path)}">See its circles</a>
    </p>
    ${relations(scope)} ${roles(scope)}
  </section>`;
}
