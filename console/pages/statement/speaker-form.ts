/** What who said a statement may do about it, on its page. */
import type { OutputOf } from '../../../operations/registry.ts';
import { action } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';

type Statement = OutputOf<'readStatement'>;

/** The sheet of a person who said it of somebody else; nothing for others, and for one who took it back. */
export function speakerForm({ csrf }: ViewerRequest, statement: Statement): Markup {
  const { is_subject: isSubject, knowledge, may_withdraw: may } = statement;
  if (!may || isSubject) return NOTHING;
  const others = knowledge.corroboration_count - 1;
  const effect =
    others > 0
      ? html`${others === 1 ? 'Somebody else says' : `${others} others say`} it too, so the
        statement stays, and no longer counts you among them. Say it again to be counted again.`
      : html`Nobody else says it. So nobody but you, whoever passed it on and the curators reads the
        statement from then on. Only a curator can bring it back.`;
  return html`<section class="sheet" aria-labelledby="said">
    <h2 id="said">You said it</h2>
    <details>
      <summary class="button quiet">Take back what I said</summary>
      <div>
        <p class="hint">${effect} Your message stays as it is.</p>
        ${action({ to: `/console/knowledge/${knowledge.id}/withdraw`, csrf, label: 'Take it back' })}
      </div>
    </details>
  </section>`;
}
