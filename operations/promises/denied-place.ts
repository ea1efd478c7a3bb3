/** Where a denial holds, whose path the promise does not have in clear. */
import { ROOT_PATH, type ScopePath } from '../../domain/scopes/path.ts';
import { parseScopePath } from '../../domain/scopes/path.ts';
import type { Promised } from '../../domain/promises/kinds.ts';
import type { Repeating } from './repeating.ts';

/** Paths are hashed so many at a time: a few milliseconds. */
const PAGE_PATHS = 500;

type Page = (
  after: string | null,
) => Promise<readonly { readonly id: string; readonly path: string }[]>;

async function* pathsOf(page: Page): AsyncGenerator<string> {
  let after: string | null = null;
  for (;;) {
    const rows: Awaited<ReturnType<Page>> = await page(after);
    for (const { path } of rows) yield path;
    after = rows.at(-1)?.id ?? null;
    if (after === null || rows.length < PAGE_PATHS) return;
  }
}

/**
 * The path: that of the scope by its id, or else a path of the account with this hash, be it of a scope or of another
 * grant. Without either the place is the root: nobody could say which place was closed, so all are.
 */
export async function deniedPlace(
  { accountId, onDeniedEverywhere, pathHash, stores }: Repeating,
  { path_hash: hash, scope_id: scopeId }: Promised<'grant_denied'>,
): Promise<ScopePath> {
  const known = scopeId === null ? null : await stores.scopes.pathOf(scopeId);
  if (known !== null) return known;
  const limit = PAGE_PATHS;
  const sources: readonly Page[] = [
    (after) => stores.scopes.list({ after, limit }),
    async (after) =>
      (await stores.grants.list({ after, limit, peerId: null })).map((grant) => ({
        id: grant.id,
        path: grant.scope_path,
      })),
  ];
  for (const source of sources) {
    for await (const path of pathsOf(source)) {
      if (pathHash(accountId, path) !== hash) continue;
      const place = parseScopePath(path);
      if (place !== null) return place;
    }
  }
  onDeniedEverywhere();
  return ROOT_PATH;
}
