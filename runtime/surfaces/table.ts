/** A table of Markdown, not padded. */

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** The lines of a table with these rows, each of as many cells as the head has. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
