/** Reads tables as they are written in `tables.ts`. */

/** Outcome names by column, by situation, by table. */
export type Grids = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, string>>>;

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

/**
 * Tables in Markdown, each below a heading `## <name>`. The first column names the situation. Throws where a row has
 * another number of cells than its heading, or stands twice.
 */
export function parseGrids(text: string): Grids {
  const grids = new Map<string, Map<string, Map<string, string>>>();
  for (const part of text.split(/^## /m).slice(1)) {
    const [name = '', ...lines] = part.split('\n').map((line) => line.trim());
    const [heading = '', , ...rows] = lines.filter((line) => line.startsWith('|'));
    const [, ...columns] = cellsOf(heading);
    const grid = new Map<string, Map<string, string>>();
    for (const row of rows) {
      const [situation = '', ...cells] = cellsOf(row);
      if (grid.has(situation) || cells.length !== columns.length)
        throw new Error(`${name}: ${row}`);
      grid.set(situation, new Map(columns.map((column, at) => [column, cells[at] ?? ''])));
    }
    if (grids.has(name)) throw new Error(`${name} stands twice`);
    grids.set(name, grid);
  }
  return grids;
}
