/** What the address of the page asks for, and the form that writes it. */
import { SENSITIVITIES, TARGET_LEVELS } from '../../../domain/statements/candidate.ts';
import { KINDS } from '../../../domain/statements/kinds.ts';
import { KNOWLEDGE_STATES, type KnowledgeState } from '../../../domain/statements/states.ts';
import type { OutputOf } from '../../../operations/registry.ts';
import { choice, field } from '../../design/forms.ts';
import { attributes, html, type Markup } from '../../design/markup.ts';
import { KIND_WORDS, LEVEL_WORDS, SENSITIVITY_WORDS, STATE_WORDS } from '../../design/words.ts';
import type { Problem, ViewerRequest } from '../../design/page.ts';

export const KNOWLEDGE_PATH = '/console/knowledge';
const MOST_CHOICES = 200;
const SIZES = ['25', '50', '100'] as const;
/** What can be listed: what was taken away is nowhere. */
const LISTED = KNOWLEDGE_STATES.filter((state) => state !== 'redacted' && state !== 'retracted');

/** Null, or blank: any. */
export interface KnowledgeAsked {
  readonly scope: string;
  readonly state: KnowledgeState;
  readonly words: string;
  readonly kind: (typeof KINDS)[number] | null;
  readonly sensitivity: (typeof SENSITIVITIES)[number] | null;
  readonly level: (typeof TARGET_LEVELS)[number] | null;
  /** The key of the person that statements are about. */
  readonly about: string;
  /** A day of the past, as typed. */
  readonly asOf: string;
  readonly size: number;
  readonly cursor: string | null;
}

export type ReadableScopes = OutputOf<'listReadableScopes'>;

/** One of the words, or null for any other text. */
function oneOf<Word extends string>(words: readonly Word[], text: string | null): Word | null {
  return words.find((word) => word === text) ?? null;
}

/** Reads the address. Without a scope: the last one of the viewer's. */
export function askedFor(
  { query }: Pick<ViewerRequest, 'query'>,
  { items }: ReadableScopes,
): KnowledgeAsked {
  const text = (name: string): string => (query.get(name) ?? '').trim();
  return {
    // The deepest scope shows the most: what stands above it is inherited.
    scope: text('scope') === '' ? (items.at(-1)?.path ?? '/') : text('scope'),
    state: oneOf(LISTED, query.get('state')) ?? 'active',
    words: text('q'),
    kind: oneOf(KINDS, query.get('kind')),
    sensitivity: oneOf(SENSITIVITIES, query.get('sensitivity')),
    level: oneOf(TARGET_LEVELS, query.get('level')),
    about: text('about'),
    asOf: text('as_of'),
    size: Number(oneOf(SIZES, query.get('size')) ?? SIZES[0]),
    cursor: query.get('cursor'),
  };
}

/** Whether the address asks for some of the statements only. */
export function isNarrowed({ about, kind, level, sensitivity }: KnowledgeAsked): boolean {
  return about !== '' || kind !== null || level !== null || sensitivity !== null;
}

/** Scopes to choose from, and the one that is asked for whether it is among them or not. */
function scopeField({ scope }: KnowledgeAsked, { items, more }: ReadableScopes): Markup {
  const paths = items.map(({ path }) => path);
  if (more || paths.length > MOST_CHOICES) {
    return field({ name: 'scope', label: 'Scope', value: scope, hint: 'A path, such as /team' });
  }
  const all = paths.includes(scope) ? paths : [scope, ...paths];
  const choices = all.map((path) => ({ value: path, name: path }));
  return choice({ name: 'scope', label: 'Scope', chosen: scope }, choices);
}

function anyOr(
  of: { readonly name: string; readonly label: string; readonly chosen: string | null },
  words: Readonly<Record<string, string>>,
): Markup {
  const named = Object.entries(words).map(([value, name]) => ({ value, name }));
  return choice({ ...of, chosen: of.chosen ?? '' }, [{ value: '', name: 'Any' }, ...named]);
}

/** The form. Filters beyond scope and state are open where one of them is used, or is wrong. */
export function filters(
  asked: KnowledgeAsked,
  scopes: ReadableScopes,
  problem: Problem | null,
): Markup {
  const isOpen =
    isNarrowed(asked) || asked.asOf !== '' || asked.size !== Number(SIZES[0]) || problem !== null;
  return html`<form
    class="sheet"
    method="get"
    action="${KNOWLEDGE_PATH}"
    role="search"
    aria-label="Statements"
  >
    ${field({ name: 'q', label: 'Find', type: 'search', value: asked.words, hint: 'Words, or a question. Leave it empty to see everything.' })}
    <div class="filters">
      ${scopeField(asked, scopes)}
      ${choice(
        { name: 'state', label: 'State', chosen: asked.state },
        LISTED.map((state) => ({ value: state, name: STATE_WORDS[state].name })),
      )}
      <div class="send"><button type="submit">Show</button></div>
    </div>
    <details ${attributes({ open: isOpen })}>
      <summary>More filters</summary>
      <div class="filters roomy">
        ${anyOr({ name: 'kind', label: 'Kind', chosen: asked.kind }, KIND_WORDS)}
        ${anyOr({ name: 'sensitivity', label: 'Sensitivity', chosen: asked.sensitivity }, SENSITIVITY_WORDS)}
        ${anyOr({ name: 'level', label: 'Belongs to (list only)', chosen: asked.level }, LEVEL_WORDS)}
        ${field({ name: 'about', label: 'About the person', value: asked.about, hint: 'The key of the person. Only without words to find.' }, problem)}
        ${field({ name: 'as_of', label: 'As it was on', type: 'date', value: asked.asOf, hint: 'Only with words to find.' }, problem)}
        ${choice(
          { name: 'size', label: 'At a time', chosen: String(asked.size) },
          SIZES.map((value) => ({ value, name: value })),
        )}
      </div>
    </details>
  </form>`;
}
