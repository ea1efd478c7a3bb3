/** Serves the description, the page that shows it, and the page's assets. Asks for no credential. */
import { createHash } from 'node:crypto';
import type { Router, RouterContext } from '@koa/router';
import { Refusal } from '../../domain/errors.ts';
import type { ApiState } from '../context.ts';
import { DOCS_PATH, OPENAPI_PATH } from './description.ts';
import { ASSETS_PATH, loadDocsPage, PAGE_POLICY, type DocsPage } from './page.ts';

type Context = RouterContext<ApiState>;

/** Browsers may keep the answer, and must ask whether it changed before every use. */
const REVALIDATED = 'no-cache';
const FOR_EVER = 'public, max-age=31536000, immutable';

/** An answer that never changes: its bytes and their digest are made once. */
interface Served {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

function served(type: string, body: string | Buffer): Served {
  const bytes = Buffer.from(body);
  return { type, bytes, etag: createHash('sha256').update(bytes).digest('base64url') };
}

function answer(ctx: Context, { type, bytes, etag }: Served, caching: string): void {
  ctx.status = 200;
  ctx.type = type;
  ctx.etag = etag;
  ctx.set('Cache-Control', caching);
  if (ctx.fresh) ctx.status = 304;
  else ctx.body = bytes;
}

/** Adds the routes to `router`. The description is made and the package read at first use. */
export function serveDescription(router: Router<ApiState>, describe: () => string): void {
  let description: Served | null = null;
  let page: Promise<DocsPage> | null = null;
  const pages = new WeakMap<object, Served>();
  const thePage = (): Promise<DocsPage> => (page ??= loadDocsPage());
  /** What is served for the page, or for one of its assets. */
  const keep = (of: object, type: string, body: string | Buffer): Served => {
    const kept = pages.get(of) ?? served(type, body);
    pages.set(of, kept);
    return kept;
  };

  router.get(OPENAPI_PATH, (ctx) => {
    description ??= served('application/json; charset=utf-8', describe());
    answer(ctx, description, REVALIDATED);
  });
  router.get(DOCS_PATH, async (ctx) => {
    const docs = await thePage();
    ctx.set('Content-Security-Policy', PAGE_POLICY);
    answer(ctx, keep(docs, 'text/html; charset=utf-8', docs.html), REVALIDATED);
  });
  router.get(`${ASSETS_PATH}/:name`, async (ctx) => {
    const { assets } = await thePage();
    const asset = assets.get(ctx.params['name'] ?? '');
    if (asset === undefined) throw new Refusal('not_found');
    answer(ctx, keep(asset, asset.type, asset.bytes), FOR_EVER);
  });
}
