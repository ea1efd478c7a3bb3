/** Plain text for terminals. */

type Cell = string | number | boolean | null;

/** The cell as text, without characters that control a terminal. */
function shown(cell: Cell): string {
  return cell === null ? '-' : `${cell}`.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
}

/** Rows under their headings, columns aligned; one line when there are none. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return 'none';
  const lines = [headings, ...rows.map((row) => row.map(shown))];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Names and values, one pair a line. */
export function pairs(entries: Readonly<Record<string, Cell>>): string {
  const width = Math.max(...Object.keys(entries).map((name) => name.length));
  return Object.entries(entries)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
    .join('\n');
}
