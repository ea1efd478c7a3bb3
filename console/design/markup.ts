/**
 * HTML as typed values. The only way to make `Markup` is the tag `html`, whose values are escaped for the place where
 * they stand, and functions of this file. So text of a caller can appear on a page as text only.
 *
 *   html`<p class="${name}">${text}</p>`
 *
 * In the text of an element stand strings, numbers, `Markup` and lists of these; in an attribute strings and numbers,
 * always between double quotes; inside a tag otherwise only what `attributes` makes. Anything else throws a `TypeError`
 * when the template is used for the first time, so every test of a page finds it.
 */
import { placesOf, type Place } from './places.ts';
import { visible } from './visible.ts';

/** Makes markup of a text that is HTML. No other file can say of a text that it is. */
let markupOf: (text: string) => Markup;

/** HTML that is safe as it stands. */
export class Markup {
  readonly #text: string;
  private constructor(text: string) {
    this.#text = text;
  }
  static {
    markupOf = (text) => new Markup(text);
  }
  toString(): string {
    return this.#text;
  }
}

/** Attributes that stand in a tag as they are. */
class Attributes {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Value = Markup | Attributes | string | number | null | undefined | readonly Value[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};
const ATTRIBUTE_NAME = /^[a-z]+(?:-[a-z]+)*$/;
/** Attributes whose name begins so run code: nobody needs them here. */
const HANDLER = /^on/;
const ADDRESSES = new Set(['href', 'src', 'action', 'formaction']);
/** An address of this site: neither of another site nor of a scheme such as `javascript:`. */
const OWN_ADDRESS = /^(?:[#?]|\/(?![/\\]))/;

function escaped(text: string): string {
  return text.toWellFormed().replaceAll(/[&<>"'`]/g, (character) => ENTITIES[character] ?? '');
}

function inText(value: Value): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Markup) return value.toString();
  if (typeof value === 'string') return escaped(visible(value));
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(inText).join('');
  throw new TypeError('attributes stand in a tag');
}

function inAttribute(value: Value, { attribute, isStart }: Place): string {
  if (typeof value !== 'string' && typeof value !== 'number') {
    throw new TypeError(`the attribute ${attribute} takes a string or a number`);
  }
  const text = String(value);
  if (isStart && ADDRESSES.has(attribute) && !OWN_ADDRESS.test(text)) {
    throw new TypeError(`the attribute ${attribute} takes an address of this site`);
  }
  return escaped(text);
}

function inTag(value: Value): string {
  if (value instanceof Attributes) return value.text;
  throw new TypeError('inside a tag a value stands between double quotes');
}

function rendered(value: Value, place: Place): string {
  switch (place.in) {
    case 'text':
      return inText(value);
    case 'attribute':
      return inAttribute(value, place);
    case 'tag':
      return inTag(value);
  }
}

const known = new WeakMap<TemplateStringsArray, readonly Place[]>();

/** The template as HTML, with its values escaped for their places. */
export function html(template: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const places = known.get(template) ?? placesOf(template);
  known.set(template, places);
  const parts = template.map((text, at) => {
    const place = places[at];
    return place === undefined ? text : text + rendered(values[at], place);
  });
  return markupOf(parts.join(''));
}

/** No HTML at all. */
export const NOTHING = markupOf('');

/**
 * Attributes that are there or not: `true` gives the bare name, a string or number the name with its value, `false`,
 * null and undefined nothing.
 */
export function attributes(
  named: Readonly<Record<string, string | number | boolean | null | undefined>>,
): Attributes {
  const all = Object.entries(named).flatMap(([name, value]) => {
    if (!ATTRIBUTE_NAME.test(name) || HANDLER.test(name)) {
      throw new TypeError('no name of an attribute');
    }
    if (value === false || value === null || value === undefined) return [];
    if (value === true) return [` ${name}`];
    return [
      ` ${name}="${inAttribute(value, { in: 'attribute', attribute: name, isStart: true })}"`,
    ];
  });
  return new Attributes(all.join(''));
}

/**
 * The text of a `textarea`: exactly the given one, so that what is sent back is what was shown. A parser drops a newline
 * at the beginning, so there is always one to drop.
 */
export function fieldText(text: string): Markup {
  return markupOf(`\n${escaped(text)}`);
}

/**
 * Text that somebody wrote: a statement, a message, a name, a path. It has its own direction, so that it cannot turn
 * the words around it, and may be broken anywhere.
 */
export function written(text: string): Markup {
  return html`<bdi class="written" dir="auto">${text}</bdi>`;
}
