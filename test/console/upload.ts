/** Forms with a file, as browsers send them. */
import type { HttpAnswer } from '../support/http.ts';
import type { Browser, Form, Page } from './browser.ts';

export interface ChosenFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer | string;
}

const BOUNDARY = '----a-boundary-of-a-browser';

const quoted = (text: string): string =>
  text.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

/** The body of a form: its parts in the order they stand in. */
export function multipart(parts: readonly (readonly [string, string | ChosenFile])[]): Buffer {
  const pieces = parts.map(([name, value]) => {
    const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"`;
    if (typeof value === 'string') return Buffer.from(`${head}\r\n\r\n${value}\r\n`);
    const of = `; filename="${quoted(value.name)}"\r\nContent-Type: ${value.type}`;
    return Buffer.concat([
      Buffer.from(`${head}${of}\r\n\r\n`),
      Buffer.from(value.bytes),
      Buffer.from('\r\n'),
    ]);
  });
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** Sends a form with a file, without following where it leads. */
export function sendParts(
  browser: Browser,
  path: string,
  parts: Parameters<typeof multipart>[0],
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const raw = multipart(parts);
  return browser.request('POST', path, {
    raw,
    headers: {
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': String(raw.length),
      ...headers,
    },
  });
}

/** The form of the page with that button. Throws where there is none. */
export function formWith(page: Page, button: string): Form {
  const form = page.forms.find((each) => each.button === button);
  if (form === undefined) throw new Error(`${page.path} has no button "${button}"`);
  return form;
}

/** Fills in the form of the page and sends it with the file. */
export function upload(
  browser: Browser,
  page: Page,
  file: ChosenFile,
  typed: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer> {
  const { action, fields } = formWith(page, 'Upload');
  const { file: _none, ...all } = { ...fields, ...typed };
  return sendParts(browser, action, [...Object.entries(all), ['file', file]]);
}
