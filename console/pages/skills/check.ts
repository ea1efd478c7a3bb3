/** What the check of a card says: what publishing it would do, and who would be ready. */
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, written, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';

type Checked = OutputOf<'checkSkillCard'>;
type Person = Checked['people'][number];

/** The field that names people. */
export const PEOPLE = 'people';

const STATUS: Readonly<Record<Person['gaps'][number]['status'], string>> = {
  satisfied: 'known',
  stale: 'known, but too old or unconfirmed',
  missing: 'not known',
  missing_card: 'no card',
  not_checked: 'not checked',
};

function outcomeWords({ outcome, version_in_force: version }: Checked): string {
  if (outcome === 'unchanged') {
    return `Version ${version ?? ''}, which is in force, has the same content. Publishing would change nothing.`;
  }
  return version === null
    ? 'Publishing would make it the first card of the skill in force there.'
    : `Publishing would replace version ${version}.`;
}

function gap({ key, level, message, status }: Person['gaps'][number]): Markup {
  return html`<li>
    ${written(plainCode(key))}:
    ${STATUS[status]}${level === 'preferred' ? ' (only preferred)' : NOTHING}
    ${message === null ? NOTHING : html`<span class="quiet-text">${message}</span>`}
  </li>`;
}

function person({ gaps, peer_key: key, ready }: Person): Markup {
  return html`<li>
    <strong>${key === null ? 'You' : written(key)}</strong>
    ${ready ? html`<span class="badge good">Ready</span>` : html`<span class="badge bad">Not ready</span>`}
    ${
      gaps.length === 0
        ? NOTHING
        : html`<ul>
            ${gaps.map(gap)}
          </ul>`
    }
  </li>`;
}

/** Shows it above the form. */
export function checkResult(checked: Checked): Markup {
  return html`<section class="sheet" role="status" aria-labelledby="check">
    <h2 id="check">The card has no faults</h2>
    <p>${outcomeWords(checked)} Nothing is published yet.</p>
    ${
      checked.people.length === 0
        ? NOTHING
        : html`<h3>Who would be ready</h3>
            <ul class="list">
              ${checked.people.map(person)}
            </ul>`
    }
  </section>`;
}
