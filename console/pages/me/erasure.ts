/** How an erasure stands, and its receipt. The session that asked for it opens this page for 7 days, and no other. */
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';
import type { ViewerRequest, PeopleRoute, ShownPage } from '../../design/page.ts';
import { idIn } from '../refused.ts';

type Erasure = OutputOf<'readErasure'>;

const STEPS: Readonly<Record<Erasure['state'], { name: string; means: string }>> = {
  accepted: {
    name: 'Accepted',
    means: 'The service signed you out everywhere. It starts the erasure in a moment.',
  },
  running: {
    name: 'Running',
    means: 'The service deletes messages, statements and index entries.',
  },
  verifying: {
    name: 'Verifying',
    means: 'The service reads every store back to check that nothing is left.',
  },
  completed: { name: 'Completed', means: 'None of your data is left. This receipt is the proof.' },
};

function steps(state: Erasure['state']): Markup {
  const names = Object.keys(STEPS) as Erasure['state'][];
  const at = names.indexOf(state);
  return html`<progress aria-label="Steps done" max="${names.length - 1}" value="${at}"></progress>
    <ol>
      ${names.map(
        (name, index) =>
          html`<li>
            ${STEPS[name].name}
            ${index < at || state === 'completed' ? html`<span class="badge good">done</span>` : index === at ? html`<span class="badge wait">now</span>` : NOTHING}
          </li>`,
      )}
    </ol>`;
}

async function show({ call, params }: ViewerRequest): Promise<ShownPage> {
  const erasure = await call('readErasure', { erasure_id: idIn(params) });
  const { mode, receipt, state } = erasure;
  return {
    title: 'Your erasure',
    main: html`<h1>Your erasure</h1>
      <section class="sheet" aria-labelledby="stands">
        <h2 id="stands">${STEPS[state].name}</h2>
        <p role="status">${STEPS[state].means}</p>
        ${steps(state)}
        <p class="meta"><span>${plainCode(mode)}</span></p>
        ${state === 'completed' ? NOTHING : html`<p class="hint" data-live="">Open this page again to see the progress. With scripts the page does it for you. This browser may open it for 7 days.</p>`}
      </section>
      ${
        receipt === null
          ? NOTHING
          : html`<section class="sheet" aria-labelledby="receipt">
              <h2 id="receipt">Receipt</h2>
              <p>Keep it. <code>vouch erasure verify</code> checks its signature.</p>
              <pre class="code" tabindex="0" data-copy="">${JSON.stringify(receipt, null, 2)}</pre>
            </section>`
      }`,
  };
}

export const ERASURE_ROUTE: PeopleRoute = {
  path: '/console/me/erasure/:id',
  access: 'erased',
  calls: ['readErasure'],
  show,
};
