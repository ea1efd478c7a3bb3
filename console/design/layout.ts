/** The one layout: what stands around the content of every page. */
import type { Assets } from '../assets.ts';
import type { ViewRequest, ShownPage } from './page.ts';
import { csrfField } from './forms.ts';
import { html, NOTHING, written, type Markup } from './markup.ts';
import { navigation } from './navigation.ts';

type Around = Pick<ViewRequest, 'csrf' | 'path' | 'viewer'>;

function whoAmI({ csrf, viewer }: Around): Markup {
  if (viewer === null) return NOTHING;
  return html`<form class="sign-out" method="post" action="/sign-out">
    ${csrfField(csrf)}
    <span class="who">${written(viewer.caller.peerKey ?? '')}</span>
    <button class="quiet" type="submit">Sign out</button>
  </form>`;
}

/** The whole document, as browsers get it. */
export function layout({ main, title }: ShownPage, around: Around, assets: Assets): string {
  const { path, viewer } = around;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Vouch</title>
        <link rel="stylesheet" href="${assets.style.address}" />
        <link rel="icon" href="${assets.icon.address}" />
        <script src="${assets.script.address}" defer></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="head">
          <a class="brand" href="/console">Vouch</a>
          ${viewer === null ? NOTHING : navigation(viewer.caller, path)} ${whoAmI(around)}
        </header>
        <main id="main" tabindex="-1">${main}</main>
        <footer class="foot">
          <p>
            Vouch: memory your agents can vouch for. Times are UTC unless your browser shows its own
            zone.
          </p>
        </footer>
      </body>
    </html> `;
  return page.toString();
}
