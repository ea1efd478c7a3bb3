/**
 * The page that shows the description: Swagger UI from its package, everything from this origin. Assets carry
 * the hash of their bytes in their names, so that browsers may keep them for ever. Only names in the table are
 * served.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DISPLAY_NAME } from '../../domain/identities.ts';

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
}

export interface DocsPage {
  readonly html: string;
  /** By file name, as the page refers to them. */
  readonly assets: ReadonlyMap<string, Asset>;
}

export const ASSETS_PATH = '/api/docs/assets';

/** Scripts, styles and requests of this origin; images also from style sheets. Nothing inline. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

function files(): readonly string[] {
  const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return [
    join(swaggerUi, 'favicon-32x32.png'),
    join(swaggerUi, 'swagger-ui.css'),
    join(swaggerUi, 'swagger-ui-bundle.js'),
    fileURLToPath(new URL('browser/start.js', import.meta.url)),
  ];
}

async function readAsset(path: string): Promise<readonly [string, Asset]> {
  const bytes = await readFile(path);
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const extension = extname(path);
  const type = TYPES[extension] ?? 'application/octet-stream';
  return [`${hash}${extension}`, { type, bytes }];
}

function elementFor(name: string): string {
  const address = `${ASSETS_PATH}/${name}`;
  if (name.endsWith('.css')) return `<link rel="stylesheet" href="${address}">`;
  if (name.endsWith('.js')) return `<script src="${address}" defer></script>`;
  return `<link rel="icon" href="${address}">`;
}

/** Reads the package once. Rejects when it is not installed. */
export async function loadDocsPage(): Promise<DocsPage> {
  const assets = new Map(await Promise.all(files().map(readAsset)));
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${DISPLAY_NAME}: HTTP interface</title>
${[...assets.keys()].map(elementFor).join('\n')}
</head>
<body>
<div id="reference"><noscript>The description is at <a href="/api/openapi.json">/api/openapi.json</a>.</noscript></div>
</body>
</html>
`;
  return { html, assets };
}
