/** The scope that a page of a scope and those above it is about. */
import type { ViewerRequest } from '../design/page.ts';

/** What the address asks for; without a scope the deepest that the viewer may read, which inherits the most. */
export async function askedScope({
  call,
  query,
}: Pick<ViewerRequest, 'call' | 'query'>): Promise<string> {
  const named = (query.get('scope') ?? '').trim();
  if (named !== '') return named;
  const { items } = await call('listReadableScopes', {});
  return items.at(-1)?.path ?? '/';
}
