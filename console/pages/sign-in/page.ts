/** Both sign-in forms. They differ in where they lead, and make the same session. */
import { doneNotice } from '../../design/elements.ts';
import { csrfField, errorSummary, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type {
  PageAnswer,
  ViewRequest,
  Problem,
  PublicRoute,
  ShownPage,
} from '../../design/page.ts';
import { ownPage } from '../../session/return-to.ts';

interface Form {
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  /** Where it leads unless another page was asked for. */
  readonly home: string;
}

const PEOPLE: Form = {
  path: '/sign-in',
  title: 'Sign in',
  lead: 'See what agents remember, and correct it.',
  home: '/console',
};

const CURATORS: Form = {
  path: '/governance/sign-in',
  title: 'Sign in as curator',
  lead: 'Decide which statements are believed, and who may see them.',
  home: '/governance',
};

const DONE = { password: 'You changed your password. Sign in with the new one.' } as const;

/** The page that was asked for before the sign-in, if it is one of ours. */
function wanted({ form, query }: ViewRequest): string | null {
  return ownPage(form['return_to'] ?? query.get('return_to'));
}

/** The notice is the same for a wrong e-mail address and for a wrong password. */
function failed(problem: Problem | null): Markup {
  if (problem === null) return NOTHING;
  if (problem.code !== 'unauthorized') return errorSummary({ problem });
  return html`<div class="summary" role="alert" tabindex="-1" id="error-summary">
    <h2>Not signed in</h2>
    <p>The e-mail address or the password is wrong. Check both and try again.</p>
  </div>`;
}

function shown({ home, lead, path, title }: Form, request: ViewRequest): PageAnswer {
  const { csrf, form, problem, viewer } = request;
  const back = wanted(request);
  if (viewer !== null && problem === null) return { to: back ?? home };
  const page: ShownPage = {
    title,
    main: html`<div class="narrow">
      <h1>${title}</h1>
      <p class="lead">${lead}</p>
      ${failed(problem)} ${problem === null ? doneNotice(request.query, DONE) : NOTHING}
      <form class="sheet" method="post" action="${path}">
        ${csrfField(csrf)}
        ${back === null ? NOTHING : html`<input type="hidden" name="return_to" value="${back}" />`}
        ${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', isRequired: true, value: form['email'] ?? '' })}
        ${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', isRequired: true })}
        <button type="submit">Sign in</button>
      </form>
      <p class="hint">
        No password yet, or forgotten? The operator of this service sets one with
        <code>vouch user password</code>. API keys of agents do not work here.
      </p>
    </div>`,
  };
  return page;
}

/** Signs in. A session that the browser had ends, so that nobody can have left one there. */
async function signIn({ home }: Form, request: ViewRequest): Promise<PageAnswer> {
  const { call, form, viewer } = request;
  const { email = '', password = '' } = form;
  const begun = await call('startBrowserSession', { email, password });
  if (viewer !== null) await call('endBrowserSession', {});
  return {
    to: wanted(request) ?? home,
    session: { token: begun.token, expiresAt: new Date(begun.expires_at) },
  };
}

function routeOf(form: Form): PublicRoute {
  const show = (request: ViewRequest) => shown(form, request);
  return {
    path: form.path,
    access: 'public',
    calls: ['startBrowserSession', 'endBrowserSession'],
    show,
    take: (request) => signIn(form, request),
    again: { show, calls: [] },
  };
}

export const SIGN_IN_ROUTES: readonly PublicRoute[] = [routeOf(PEOPLE), routeOf(CURATORS)];
