/** What the statement was made from: as a picture, and the same as a list whose steps are indented as far as they are away. */
import { Refusal } from '../../../domain/errors.ts';
import { excerptOf } from '../../../domain/text/excerpt.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import type { ViewerRequest } from '../../design/page.ts';
import { drawLineage, type BoxWords } from './lineage-draw.ts';
import { lineagePicture } from './lineage-layout.ts';

type Statement = OutputOf<'readStatement'>;
type Lineage = OutputOf<'readLineage'>;
type Node = Lineage['nodes'][number];

const LONGEST_NAME = 19;
const LONGEST_LINE = 24;
const LONGEST_TITLE = 200;
/** Letters of an id that tell things of one lineage apart. */
const SHORT_ID = 8;

const TYPES: Readonly<Record<Node['type'], string>> = {
  knowledge: 'Statement',
  message: 'Message',
  document_version: 'Version of a document',
};

const OPERATIONS: Readonly<Record<Node['operation'], string>> = {
  observed: 'was said',
  imported: 'was uploaded',
  extracted: 'drawn from what was said',
  deduced: 'deduced from others',
  consolidated: 'put together from others',
  edited: 'put into other words by a curator',
  merged: 'merged by a curator',
};

/** The same in the room of a box. */
const SHORT: Readonly<Record<Node['operation'], string>> = {
  observed: 'was said',
  imported: 'was uploaded',
  extracted: 'drawn from words',
  deduced: 'deduced',
  consolidated: 'put together',
  edited: 'edited by a curator',
  merged: 'merged by a curator',
};

const keyOf = ({ id, type }: { readonly id: string; readonly type: string }): string =>
  `${type} ${id}`;
const shortId = (id: string): string => id.slice(-SHORT_ID);

/** Sources of the node that the picture does not show: those that are hidden or gone, and those that it has no room for. */
function beyond({ source_references: all }: Node, shown: ReadonlySet<string>): number {
  return all.filter(({ id, type }) => id === undefined || !shown.has(keyOf({ id, type }))).length;
}

/** The words of a node, as far as the page of the statement knows any. */
function wordsOf(node: Node, { knowledge, sources }: Statement): BoxWords {
  const { id, operation, type } = node;
  const source = sources.find((one) => type === 'message' && one.message_id === id);
  const said = source === undefined ? null : source.before + source.supports + source.after;
  const text = id === knowledge.id ? knowledge.statement : said;
  const name =
    id === knowledge.id
      ? (knowledge.statement ?? TYPES[type])
      : (source?.speaker_name ??
        `${type === 'document_version' ? 'Document' : TYPES[type]} ${shortId(id)}`);
  return {
    key: keyOf(node),
    kind: type,
    name: excerptOf(name, LONGEST_NAME),
    below:
      source === undefined
        ? excerptOf(SHORT[operation], LONGEST_LINE)
        : source.occurred_at.slice(0, 'yyyy-mm-dd'.length),
    title: excerptOf(
      text ?? `${TYPES[type]} ${shortId(id)}: ${OPERATIONS[operation]}`,
      LONGEST_TITLE,
    ),
    leadsTo: type === 'knowledge' ? id : null,
  };
}

function picture({ nodes }: Lineage, statement: Statement): Markup {
  const shown = new Set(nodes.map(keyOf));
  const missing = new Map(nodes.map((node) => [keyOf(node), beyond(node, shown)]));
  const things = nodes.map((node) => ({
    key: keyOf(node),
    depth: node.traversal_depth,
    madeFrom: node.source_references.flatMap(({ id, type }) =>
      id === undefined ? [] : [keyOf({ id, type })],
    ),
    beyond: missing.get(keyOf(node)) ?? 0,
  }));
  const words = nodes.map((node) => wordsOf(node, statement));
  return html`<div class="scroll" role="region" aria-label="Lineage as a picture" tabindex="0">
    ${drawLineage(lineagePicture(things), words, missing)}
  </div>`;
}

function listed(node: Node, own: string): Markup {
  const text = `${TYPES[node.type]} ${shortId(node.id)}`;
  if (node.id === own) return html`This statement`;
  return node.type === 'knowledge'
    ? html`<a href="/console/knowledge/${node.id}">${text}</a>`
    : html`${text}`;
}

function references({ source_references: all }: Node): Markup {
  const hidden = all.filter(({ visibility }) => visibility !== 'visible').length;
  const shown = all.length - hidden;
  if (all.length === 0) return NOTHING;
  return html`<p class="meta">
    made from ${shown} that you may
    see${hidden > 0 ? `, and ${hidden} that you may not, or that are gone` : ''}
  </p>`;
}

/** Why the picture ends where it does; nothing where it shows everything. */
function endings({ terminations: of, truncated }: Lineage): Markup {
  const parts = [
    ...(of.authorization_hidden > 0 ? ['some of it is not for you to see'] : []),
    ...(of.lifecycle_hidden > 0 ? ['some of it is not shown in its present state'] : []),
    ...(of.missing_source > 0 ? ['some of it is gone'] : []),
    ...(truncated ? ['there is more than fits here'] : []),
  ];
  if (parts.length === 0) return NOTHING;
  return html`<p class="quiet-text">
    A number stands for what is not shown: ${parts.join(', ')}.
  </p>`;
}

/** Nothing for a statement that is shown to the viewer in another way than as a source. */
export async function lineageSheet({ call }: ViewerRequest, statement: Statement): Promise<Markup> {
  const { knowledge } = statement;
  const lineage = await call('readLineage', {
    target_id: knowledge.id,
    scope_path: knowledge.scope_path,
  }).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return null;
    throw error;
  });
  if (lineage === null) return NOTHING;
  return html`<section class="sheet lineage-sheet" aria-labelledby="lineage">
    <h2 id="lineage">Lineage</h2>
    <p class="hint">On the left this statement, to the right what it was made from.</p>
    ${picture(lineage, statement)} ${endings(lineage)}
    <details>
      <summary>The same as a list</summary>
      <ol class="lineage">
        ${lineage.nodes.map(
          (node) =>
            html`<li class="step step-${node.traversal_depth}">
              ${listed(node, knowledge.id)}
              <span class="quiet-text">${OPERATIONS[node.operation]}</span>${references(node)}
            </li>`,
        )}
      </ol>
    </details>
  </section>`;
}
