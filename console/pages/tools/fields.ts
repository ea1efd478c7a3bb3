/** The form of a tool, made from the JSON Schema of its arguments. */
import { choice, field } from '../../design/forms.ts';
import { html, NOTHING, type Markup } from '../../design/markup.ts';
import { plainCode } from '../../design/words.ts';
import type { ToolCard } from '../../design/page.ts';

type Schema = Readonly<Record<string, unknown>>;
type Typed = Readonly<Record<string, string>>;

/** Fields of this many characters and more are written on several lines. */
const LONG_FROM = 1_000;
const LEFT_OUT = { value: '', name: 'Left out' } as const;

const textIn = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;

/** What the schema says of the field in words: its description, an example, and what stands where it is left out. */
function hintOf({ default: unless, description, examples, type }: Schema): string {
  const [example] = Array.isArray(examples) ? (examples as unknown[]) : [];
  const shown = textIn(example);
  const usual = textIn(unless);
  return [
    textIn(description) ?? '',
    type === 'array' ? 'One a line.' : '',
    shown === null ? '' : `For example: ${shown}`,
    usual === null || usual === '' ? '' : `Left out: ${usual}.`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function choicesOf({ enum: words, type }: Schema): readonly string[] | null {
  if (Array.isArray(words)) return words.flatMap((word) => textIn(word) ?? []);
  return type === 'boolean' ? ['true', 'false'] : null;
}

function fieldOf(name: string, schema: Schema, isRequired: boolean, typed: Typed): Markup {
  const value = typed[name] ?? '';
  const words = plainCode(name);
  const label = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}${isRequired ? '' : ' (optional)'}`;
  const choices = choicesOf(schema);
  if (choices !== null) {
    const all = choices.map((word) => ({ value: word, name: plainCode(word) }));
    return html`${choice(
        { name, label, chosen: value },
        isRequired ? all : [LEFT_OUT, ...all],
        'tool',
      )}
      <p class="hint after">${hintOf(schema)}</p>`;
  }
  const { maxLength, type } = schema;
  const isLong = typeof maxLength === 'number' && maxLength >= LONG_FROM;
  return field(
    {
      name,
      label,
      value,
      isRequired,
      hint: hintOf(schema),
      autocomplete: 'off',
      ...(isLong || type === 'array' || name.endsWith('_text') ? { rows: 4 } : {}),
    },
    null,
    'tool',
  );
}

/** All fields: those that a call must have or mostly has, then the others, folded away unless something stands in one. */
export function toolFields({ inputSchema, usual }: ToolCard, typed: Typed): Markup {
  const { properties, required } = inputSchema;
  const all = Object.entries(properties);
  const isFirst = (name: string): boolean => required.includes(name) || usual.includes(name);
  const first = all.filter(([name]) => isFirst(name));
  const others = all.filter(([name]) => !isFirst(name));
  const isOpen = first.length === 0 || others.some(([name]) => (typed[name] ?? '') !== '');
  const optional = others.map(([name, schema]) => fieldOf(name, schema, false, typed));
  return html`${first.map(([name, schema]) => fieldOf(name, schema, required.includes(name), typed))}
  ${
    others.length === 0
      ? NOTHING
      : isOpen
        ? optional
        : html`<details>
            <summary>${others.length} optional fields</summary>
            ${optional}
          </details>`
  }`;
}
