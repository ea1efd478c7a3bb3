/** A browser without scripts: keeps cookies, follows redirects, reads pages, sends their forms. */
import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import { send, type HttpAnswer } from '../support/http.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const MOST_REDIRECTS = 5;

export interface Form {
  readonly action: string;
  readonly method: string;
  /** What it sends unless somebody types: names and values. */
  readonly fields: Readonly<Record<string, string>>;
  /** The words on its button. */
  readonly button: string;
}

export interface Page {
  readonly status: number;
  readonly headers: HttpAnswer['headers'];
  /** Where the browser is after redirects. */
  readonly path: string;
  /** The source. */
  readonly source: string;
  readonly title: string;
  /** What the page says, its spaces joined. */
  readonly text: string;
  readonly forms: readonly Form[];
  /** Names of all elements, and of all attributes, that the page has. */
  readonly elements: ReadonlySet<string>;
  readonly links: readonly string[];
}

function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

function* elementsOf(node: Node): Generator<Element> {
  if (isElement(node)) yield node;
  if ('childNodes' in node) for (const child of node.childNodes) yield* elementsOf(child);
}

const attribute = (element: Element, name: string): string | null =>
  element.attrs.find((attr) => attr.name === name)?.value ?? null;

/** The text of a node as it is, scripts left out. */
function textOf(node: Node): string {
  if ('value' in node) return node.value;
  if (isElement(node) && node.tagName === 'script') return '';
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}

const joined = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** The form, with `apart` of it elsewhere on the page, and once more for each of its buttons that sends it to another address. */
function formsOf(form: Element, apart: readonly Element[]): readonly Form[] {
  const fields: Record<string, string> = {};
  let button = '';
  const elsewhere: { readonly button: string; readonly action: string }[] = [];
  for (const element of [...elementsOf(form), ...apart]) {
    const name = attribute(element, 'name');
    if (element.tagName === 'button') {
      const words = joined(textOf(element));
      const action = attribute(element, 'formaction');
      if (action === null) button = words;
      else elsewhere.push({ button: words, action });
    }
    if (name === null) continue;
    const type = attribute(element, 'type');
    const isOff =
      (type === 'checkbox' || type === 'radio') && attribute(element, 'checked') === null;
    if (element.tagName === 'input' && !isOff) fields[name] = attribute(element, 'value') ?? '';
    if (element.tagName === 'textarea') fields[name] = textOf(element);
    if (element.tagName === 'select') {
      const options = [...elementsOf(element)].filter(({ tagName }) => tagName === 'option');
      const chosen = options.find((option) => attribute(option, 'selected') !== null) ?? options[0];
      fields[name] = chosen === undefined ? '' : (attribute(chosen, 'value') ?? '');
    }
  }
  const usual = {
    action: attribute(form, 'action') ?? '',
    method: attribute(form, 'method') ?? 'get',
    fields,
    button,
  };
  return [usual, ...elsewhere.map((other) => ({ ...usual, ...other }))];
}

/** Reads an answer as a browser would. */
export function readPage(answer: HttpAnswer, path: string): Page {
  const all = [...elementsOf(parse(answer.text))];
  const named = (name: string): Element | undefined => all.find(({ tagName }) => tagName === name);
  const body = named('body');
  const title = named('title');
  const apart = (form: Element): readonly Element[] => {
    const id = attribute(form, 'id');
    return id === null ? [] : all.filter((element) => attribute(element, 'form') === id);
  };
  return {
    status: answer.status,
    headers: answer.headers,
    path,
    source: answer.text,
    title: title === undefined ? '' : joined(textOf(title)),
    text: body === undefined ? '' : joined(textOf(body)),
    forms: all
      .filter(({ tagName }) => tagName === 'form')
      .flatMap((form) => formsOf(form, apart(form))),
    elements: new Set(
      all.flatMap(({ attrs, tagName }) => [tagName, ...attrs.map(({ name }) => `@${name}`)]),
    ),
    links: all.flatMap((element) =>
      element.tagName === 'a' ? [attribute(element, 'href') ?? ''] : [],
    ),
  };
}

export interface Browser {
  readonly cookies: Map<string, string>;
  /** One request as it is, without following where it leads. */
  request(
    method: string,
    path: string,
    options?: {
      readonly fields?: Readonly<Record<string, string>>;
      readonly headers?: Readonly<Record<string, string>>;
      /** A body as it is, in place of fields. */
      readonly raw?: Buffer;
    },
  ): Promise<HttpAnswer>;
  /** Opens a page. */
  open(path: string): Promise<Page>;
  /**
   * Sends the form of the page with that button, with what was typed, and answers the page it leads to. A button may go on
   * after its words: with a colon, and what happens then.
   */
  submit(page: Page, button: string, typed?: Readonly<Record<string, string>>): Promise<Page>;
}

/** The form with that button, or with one whose words begin so and go on to say what happens then. */
export function formOf({ forms }: Page, button: string): Form | undefined {
  return (
    forms.find((each) => each.button === button) ??
    forms.find((each) => each.button.startsWith(`${button}: `))
  );
}

/** Opens a browser at the door. */
export function openBrowser(door: { readonly url: string }): Browser {
  const cookies = new Map<string, string>();

  const keep = (answer: HttpAnswer): void => {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [pair = '', ...traits] = line.split('; ');
      const at = pair.indexOf('=');
      const expires = traits.find((trait) => trait.startsWith('Expires='));
      const isOver = expires !== undefined && Date.parse(expires.slice('Expires='.length)) <= 0;
      if (isOver) cookies.delete(pair.slice(0, at));
      else cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
  };

  const request: Browser['request'] = async (method, path, { fields, headers = {}, raw } = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const isForm = method !== 'GET';
    const answer = await send(door.url, {
      method,
      path,
      headers: {
        ...(cookie === '' ? {} : { cookie }),
        ...(isForm ? { origin: new URL(door.url).origin } : {}),
        ...(fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(fields === undefined ? {} : { raw: new URLSearchParams(fields).toString() }),
      ...(raw === undefined ? {} : { raw }),
    });
    keep(answer);
    return answer;
  };

  const followed = async (first: HttpAnswer, from: string): Promise<Page> => {
    let [answer, path] = [first, from];
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects += 1) {
      const { location } = answer.headers;
      if (location === undefined) return readPage(answer, path);
      path = location;
      answer = await request('GET', path);
    }
    throw new Error('the pages lead to one another without an end');
  };

  return {
    cookies,
    request,
    open: async (path) => followed(await request('GET', path), path),
    async submit(page, button, typed = {}) {
      const form = formOf(page, button);
      if (form === undefined) throw new Error(`${page.path} has no button "${button}"`);
      const fields = { ...form.fields, ...typed };
      if (form.method === 'get') {
        const path = `${form.action}?${new URLSearchParams(fields).toString()}`;
        return followed(await request('GET', path), path);
      }
      return followed(await request('POST', form.action, { fields }), form.action);
    },
  };
}
