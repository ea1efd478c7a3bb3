/** The kinds of document that can be read, by the media types and file name endings that name them. */

const DOCUMENT_FORMATS = ['text', 'markdown', 'html', 'pdf', 'docx'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

const FORMATS: ReadonlyMap<string, DocumentFormat> = new Map([
  ['text/plain', 'text'],
  ['text/markdown', 'markdown'],
  ['text/x-markdown', 'markdown'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/pdf', 'pdf'],
  [DOCX, 'docx'],
]);

/** The media types that are taken. */
export const DOCUMENT_MEDIA_TYPES: readonly string[] = [...FORMATS.keys()];

const BY_ENDING: ReadonlyMap<string, string> = new Map([
  ['txt', 'text/plain'],
  ['text', 'text/plain'],
  ['md', 'text/markdown'],
  ['markdown', 'text/markdown'],
  ['html', 'text/html'],
  ['htm', 'text/html'],
  ['xhtml', 'application/xhtml+xml'],
  ['pdf', 'application/pdf'],
  ['docx', DOCX],
]);

/** Type and subtype in lower case, without parameters. */
export function bareMediaType(mediaType: string): string {
  return mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** How a document of that media type is read; null when it cannot be. Parameters do not matter. */
export function formatOf(mediaType: string): DocumentFormat | null {
  return FORMATS.get(bareMediaType(mediaType)) ?? null;
}

/** The media type that the ending of a file's name stands for, or null. */
export function mediaTypeOfName(name: string): string | null {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  return ending === undefined ? null : (BY_ENDING.get(ending) ?? null);
}
