/** What the statement was made from, as a list whose steps are indented as far as they are away. */
import { Refusal } from '../../../domain/errors.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';
import type { ViewerRequest } from '../../page.ts';

type Lineage = OutputOf<'readLineage'>;
type Node = Lineage['nodes'][number];

const TYPES: Readonly<Record<Node['type'], string>> = {
  knowledge: 'Statement',
  message: 'Message',
  document_version: 'Version of a document',
};

function name({ id, type }: Pick<Node, 'id' | 'type'>): Markup {
  const text = `${TYPES[type]} ${id.slice(-8)}`;
  return type === 'knowledge'
    ? html`<a href="/console/knowledge/${id}">${text}</a>`
    : html`${text}`;
}

function references({ source_references: all }: Node): Markup {
  const hidden = all.filter(({ visibility }) => visibility !== 'visible').length;
  const shown = all.length - hidden;
  if (all.length === 0) return NOTHING;
  return html`<p class="meta">
    made from ${shown} that you may see${hidden > 0 ? `, and ${hidden} that you may not` : ''}
  </p>`;
}

/** Nothing for a statement that is shown to the viewer in another way than as a source. */
export async function lineageSheet(
  { call }: ViewerRequest,
  { knowledge }: OutputOf<'readStatement'>,
): Promise<Markup> {
  const lineage = await call('readLineage', {
    target_id: knowledge.id,
    scope_path: knowledge.scope_path,
  }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return null;
    throw error;
  });
  if (lineage === null) return NOTHING;
  return html`<section class="sheet" aria-labelledby="lineage">
    <h2 id="lineage">Lineage</h2>
    <ol class="lineage">
      ${lineage.nodes.map(
        (node) =>
          html`<li class="step step-${node.traversal_depth}">
            ${name(node)}
            <span class="quiet-text">${plainCode(node.operation)}</span>${references(node)}
          </li>`,
      )}
    </ol>
    ${lineage.truncated ? html`<p class="quiet-text">There is more than is shown here.</p>` : NOTHING}
  </section>`;
}
