/** A field in which people are named by their keys. */
import type { Problem } from '../design/page.ts';

/** The keys in what was typed: one a line, or parted by commas. */
export function keysOf(typed: string): readonly string[] {
  return typed
    .split(/[,\n]/)
    .map((key) => key.trim())
    .filter((key) => key !== '');
}

/**
 * The faults of the entries of a list that was typed into one field: each names the key that it is about. Faults of other
 * fields stay as they are.
 */
export function withTypedKeys(
  problem: Problem | null,
  { field, list, typed }: { readonly field: string; readonly list: string; readonly typed: string },
): Problem | null {
  if (problem === null) return null;
  const keys = keysOf(typed);
  const fields = problem.fields.map((fault) => {
    const [name, at = ''] = fault.path.split('.');
    if (name !== list) return fault;
    const key = keys[Number(at)];
    const isNamed = at !== '' && key !== undefined;
    return { path: field, message: isNamed ? `“${key}” ${fault.message}` : fault.message };
  });
  return { ...problem, fields };
}
