/**
 * Keys of holds on their way: a deployment seals them with a pad of its own, so an archive carries them opened, as it carries the
 * texts in clear, and the deployment that takes it in seals them anew. Opening and sealing are one operation.
 */
import type { TravellingName } from '../../domain/portability/tables.ts';
import type { HoldKeys } from '../forgetting/hold-keys.ts';

/** The column with the key, and what the key is sealed for. */
const SEALED: Partial<
  Readonly<Record<TravellingName, { readonly column: string; readonly of: string | null }>>
> = {
  forget_books: { column: 'sealed_hint_key', of: 'hints' },
  forget_holds: { column: 'sealed_key', of: null },
};

const asBytea = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

/** The lines of the table with their keys opened, or sealed. Lines of other tables, and what is no key, stay as they are. */
export function withKeysTurned(
  table: TravellingName,
  lines: readonly string[],
  keys: HoldKeys,
): readonly string[] {
  const sealed = SEALED[table];
  if (sealed === undefined) return lines;
  const { column, of } = sealed;
  return lines.map((line) => {
    const row: Record<string, unknown> = Object(JSON.parse(line));
    const value = row[column];
    if (typeof value !== 'string' || !/^\\x(?:[0-9a-f]{2})+$/u.test(value)) return line;
    const key = new Uint8Array(Buffer.from(value.slice(2), 'hex'));
    return JSON.stringify({ ...row, [column]: asBytea(keys.opened(of ?? String(row['id']), key)) });
  });
}
