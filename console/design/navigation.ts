/** The pages that the head of every page leads to. One line each. */
import { isAccountAdmin, isCuratorSomewhere, type Caller } from '../../domain/identity/caller.ts';
import { html, attributes, type Markup } from './markup.ts';

interface Entry {
  readonly path: string;
  readonly name: string;
  /** The viewers whose navigation shows the link; all viewers if absent. The page itself checks its viewer again. */
  readonly isFor?: (caller: Caller) => boolean;
}

/** Whether the caller is administrator of the account. */
export const isAdmin = (caller: Caller): boolean => isAccountAdmin(caller);

export const NAVIGATION: readonly Entry[] = [
  { path: '/console', name: 'Overview' },
  { path: '/console/knowledge', name: 'Knowledge' },
  { path: '/console/scopes', name: 'Scopes' },
  { path: '/console/graph', name: 'Graph' },
  { path: '/console/sources', name: 'Sources' },
  { path: '/console/skills', name: 'Skills' },
  { path: '/console/tools', name: 'Tools' },
  { path: '/console/me', name: 'About me' },
  { path: '/governance', name: 'Decisions', isFor: isCuratorSomewhere },
  { path: '/console/operations', name: 'Operations', isFor: isAdmin },
];

/** Whether the page at `path` is the one of the entry, or below it. */
export function isWithinPage(path: string, entry: string): boolean {
  return path === entry || (entry !== '/console' && path.startsWith(`${entry}/`));
}

/** The links for the caller, the page that is open marked. */
export function navigation(caller: Caller, path: string): Markup {
  const shown = NAVIGATION.filter(({ isFor }) => isFor === undefined || isFor(caller));
  // Where there is no room for it, the style sheet leaves the list to the button. The browser opens it, without a script;
  // one that does not know `popover` shows the list as it is.
  return html`<button class="menu quiet" type="button" popovertarget="pages">Menu</button>
    <nav class="pages" id="pages" popover aria-label="Pages">
      <ul>
        ${shown.map(
          (entry) =>
            html`<li>
              <a
                href="${entry.path}"
                ${attributes({ 'aria-current': isWithinPage(path, entry.path) ? 'page' : null })}
                >${entry.name}</a
              >
            </li>`,
        )}
      </ul>
    </nav>`;
}
