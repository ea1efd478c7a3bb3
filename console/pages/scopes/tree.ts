/** A list in the order of a tree, as lists within lists. Pure. */
import { isWithin, parseScopePath } from '../../../domain/scopes/path.ts';

export interface Branch<T> {
  readonly item: T;
  /** The path without that of the branch above; the whole path at the top. */
  readonly name: string;
  readonly below: readonly Branch<T>[];
}

interface Growing<T> extends Branch<T> {
  readonly below: Growing<T>[];
}

function liesBelow(path: string, above: string): boolean {
  const [one, other] = [parseScopePath(path), parseScopePath(above)];
  return one !== null && other !== null && one !== other && isWithin(one, other);
}

/** The path as seen from a scope above it. */
function nameBelow(above: string, path: string): string {
  return path.slice(above === '/' ? 1 : above.length + 1);
}

/** What lies below an item of the list becomes a branch of it; an item whose scopes above are missing stands at the top. */
export function branches<T extends { readonly path: string }>(
  items: readonly T[],
): readonly Branch<T>[] {
  const tops: Growing<T>[] = [];
  let open: Growing<T>[] = [];
  for (const item of items) {
    open = open.filter((branch) => liesBelow(item.path, branch.item.path));
    const above = open.at(-1);
    const name = above === undefined ? item.path : nameBelow(above.item.path, item.path);
    const branch: Growing<T> = { item, name, below: [] };
    (above?.below ?? tops).push(branch);
    open.push(branch);
  }
  return tops;
}
