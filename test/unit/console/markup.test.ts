/** Text of callers appears on a page as text, wherever it stands. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import {
  attributes,
  fieldText,
  html,
  written,
  type Markup,
  type Value,
} from '../../../console/design/markup.ts';
import { visible } from '../../../console/design/visible.ts';
import { sized } from '../../support/run.ts';

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Anything that a string can hold, with much of what means something to a parser of HTML. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '`',
      '=',
      '/',
      '!',
      '-',
      ' ',
      '\n',
      '\r',
      '\t',
      '\0',
      '\f',
      'a',
      'script',
      'style',
      '</p>',
      '<!--',
      ']]>',
      '&lt;',
      '&#0;',
      '\u202E',
      '\u2066',
      '\uD800',
      '\uFEFF',
      'on',
      'javascript:',
    ),
  }),
);

function only(markup: Markup): Node {
  const { childNodes } = parseFragment(markup.toString());
  const [node] = childNodes;
  if (node === undefined || childNodes.length !== 1) throw new Error('there is more than one node');
  return node;
}

function textIn(node: Node): string {
  if (!('childNodes' in node)) throw new Error('an element was expected');
  return node.childNodes
    .map((child) => {
      if (!('value' in child)) throw new Error('there is markup in the text');
      return child.value;
    })
    .join('');
}

/** What a parser makes of line ends, and of the NUL that it may not keep. */
const lines = (text: string): string => text.replaceAll(/\r\n?/g, '\n');
const kept = (text: string): string => lines(text.toWellFormed());

/** The tag with these fixed parts, as no formatter would leave them. */
const made = (parts: readonly string[], ...values: readonly Value[]): Markup =>
  html(Object.assign([...parts], { raw: parts }), ...values);

describe('a value of a template', () => {
  test('is text in an element, whatever it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(textIn(only(html`<p>${text}</p>`))).toBe(visible(text));
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  test('is one attribute between quotes, whatever it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const node = only(html`<input value="${text}" name="a" />`);
        const attrs = 'attrs' in node ? node.attrs : [];
        expect(attrs.map(({ name }) => name)).toEqual(['value', 'name']);
        expect(attrs[0]?.value).toBe(kept(text).replaceAll('\0', '\uFFFD'));
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  test('is what a text field shows and sends back, whatever it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const node = only(html`<textarea>${fieldText(text)}</textarea>`);
        expect(textIn(node)).toBe(kept(text).replaceAll('\0', '\uFFFD'));
      }),
      { numRuns: sized({ short: 400, long: 2_000 }) },
    );
  });

  test('that is markup stands as it is, and lists stand one after the other', () => {
    const items = ['<b>', 'c'].map((text) => made(['<li>', '</li>'], text));
    expect(made(['<ul>', '', '', '', '</ul>'], items, null, undefined, 7).toString()).toBe(
      '<ul><li>&lt;b&gt;</li><li>c</li>7</ul>',
    );
  });

  test('is no markup because it looks like some', () => {
    const forged = { toString: () => '<b>' } as unknown as Markup;
    expect(() => html`<p>${forged}</p>`).toThrow(TypeError);
  });
});

describe('a template', () => {
  const refused: Readonly<Record<string, () => Markup>> = {
    'a value without quotes': () => html`<a href=${'/a'}>a</a>`,
    'a value between single quotes': () => made(["<a href='", "'>a</a>"], '/a'),
    'a value as a name of an element': () => html`<${'b'}>a</b>`,
    'a value as a name of an attribute': () => html`<p ${'onclick'}>a</p>`,
    'a value in a script': () =>
      html`<script>
        ${'a'};
      </script>`,
    'a value in a style': () =>
      html`<style>
        ${'a'}
      </style>`,
    'a comment': () => html`<!-- ${'a'} -->`,
    'a handler': () => html`<p onclick="${'a'}">a</p>`,
    'a style': () => html`<p style="${'a'}">a</p>`,
    'markup in an attribute': () => html`<p class="${html`a`}">a</p>`,
    'a tag that does not end': () => html`<p>${'a'}</p`,
    'an address of another site': () => html`<a href="${'//evil.example'}">a</a>`,
    'an address that is a script': () => html`<a href="${'javascript:alert(1)'}">a</a>`,
    'an address with a backslash': () => html`<a href="${'/\\evil.example'}">a</a>`,
    'attributes in a text': () => html`<p>${attributes({ open: true })}</p>`,
    'a handler among attributes': () => html`<p${attributes({ onclick: 'a' })}>a</p>`,
    'a strange name among attributes': () => html`<p${attributes({ 'a b': 'a' })}>a</p>`,
  };

  test.each(Object.keys(refused))('may not have %s', (what) => {
    expect(refused[what]).toThrow(TypeError);
  });

  test('may have own addresses and attributes that are there or not', () => {
    const traits = attributes({ rel: null, hidden: true, id: 'x' });
    expect(made(['<a href="', '"', '>a</a>'], '/a?b=1', traits).toString()).toBe(
      '<a href="/a?b=1" hidden id="x">a</a>',
    );
    expect(made(['<a href="/a/', '">a</a>'], 'x"y').toString()).toBe('<a href="/a/x&quot;y">a</a>');
  });
});

describe('text that somebody wrote', () => {
  test('has a direction of its own', () => {
    expect(written('שלום').toString()).toBe('<bdi class="written" dir="auto">שלום</bdi>');
  });

  test('shows what would turn or end a line, or could not be seen', () => {
    expect(visible('a\u202Eb\u2067c\0d\u009Fe\u2028f\uFEFFg\uD800')).toBe(
      'a[U+202E]b[U+2067]c␀d[U+009F]e[U+2028]f[U+FEFF]g\uFFFD',
    );
    expect(visible('tab\tline\nline\r\nline')).toBe('tab\tline\nline\nline');
  });
});
