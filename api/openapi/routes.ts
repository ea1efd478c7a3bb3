/** Serves the document, the page that shows it, and the page's assets. Asks for no credential. */
import { createHash } from 'node:crypto';
import type { Router, RouterContext } from '@koa/router';
import { Refusal } from '../../domain/errors.ts';
import type { ApiState } from '../context.ts';
import { DOCS_PATH, OPENAPI_PATH } from './document.ts';
import { ASSETS_PATH, loadDocsPage, PAGE_POLICY, type DocsPage } from './page.ts';

type Context = RouterContext<ApiState>;

/** May be kept, and is asked for again before every use. */
const REVALIDATED = 'no-cache';
const FOR_EVER = 'public, max-age=31536000, immutable';

function answer(ctx: Context, type: string, body: string | Buffer, caching: string): void {
  ctx.status = 200;
  ctx.type = type;
  ctx.etag = createHash('sha256').update(body).digest('base64url');
  ctx.set('Cache-Control', caching);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = body;
}

/** Adds the routes to `router`. The document is made and the package read at first use. */
export function serveDescription(router: Router<ApiState>, describe: () => string): void {
  let document: string | null = null;
  let page: Promise<DocsPage> | null = null;
  const thePage = (): Promise<DocsPage> => (page ??= loadDocsPage());

  router.get(OPENAPI_PATH, (ctx) => {
    document ??= describe();
    answer(ctx, 'application/json; charset=utf-8', document, REVALIDATED);
  });
  router.get(DOCS_PATH, async (ctx) => {
    const { html } = await thePage();
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    answer(ctx, 'text/html; charset=utf-8', html, REVALIDATED);
  });
  router.get(`${ASSETS_PATH}/:name`, async (ctx) => {
    const { assets } = await thePage();
    const asset = assets.get(ctx.params['name'] ?? '');
    if (asset === undefined) throw new Refusal('not_found');
    answer(ctx, asset.type, asset.bytes, FOR_EVER);
  });
}
