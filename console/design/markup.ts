/**
 * HTML as typed values. Only the tag `html` and the functions of this file make `Markup`. The tag escapes each value
 * for its place, so text of a caller can appear on a page as text only.
 *
 *   html`<p class="${name}">${text}</p>`
 *
 * In the text of an element stand strings, numbers, `Markup` and lists of these; in an attribute strings and numbers,
 * always between double quotes; inside a tag otherwise only what `attributes` makes. Anything else throws a `TypeError`
 * when the template is used for the first time, so every test of a page finds it.
 */
import { placesOf, type Place } from './places.ts';
import { visible } from './visible.ts';

/** Turns a text that is HTML into markup. Only this file may declare a text to be HTML. */
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
/** Attributes whose name begins like this run code. No page needs them. */
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
 * Optional attributes: `true` gives the bare name, a string or number the name with its value, `false`, null and
 * undefined nothing.
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
 * The text of a `textarea`, unchanged, so that the form sends back the text that the page showed. A parser drops a
 * newline at the beginning, so this adds one for it to drop.
 */
export function fieldText(text: string): Markup {
  return markupOf(`\n${escaped(text)}`);
}

/**
 * Text of a caller: a statement, a message, a name, a path. It has its own direction, so it cannot reverse the words
 * around it. The browser may break it anywhere.
 */
export function written(text: string): Markup {
  return html`<bdi class="written" dir="auto">${text}</bdi>`;
}
