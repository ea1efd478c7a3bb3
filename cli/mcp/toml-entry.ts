/** Sets one table of a TOML file, line by line, and leaves every other line as it is. */
import { NotEditable } from './json-entry.ts';

const HEADER = /^\s*\[/;
/** Other ways to write the same table, which a line-by-line reader cannot change safely. */
const OTHER_FORMS = /^\s*(?:mcp_servers\s*[.=]|\[\s*mcp_servers\s*\]|\[\s*mcp_servers\s*\.\s*["'])/;
const MULTILINE = /"""|'''/g;

/** JSON's text of a string is a basic string of TOML. */
function tableOf(group: string, name: string, entry: Readonly<Record<string, unknown>>): string[] {
  const pairs = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  return [`[${group}.${name}]`, ...pairs];
}

/** Whether each line stands inside a text of several lines. Throws for such a text without an end. */
function insideTexts(lines: readonly string[]): boolean[] {
  let open: string | null = null;
  const inside = lines.map((line) => {
    const was = open !== null;
    for (const [mark] of line.matchAll(MULTILINE)) {
      if (open === null) open = mark;
      else if (open === mark) open = null;
    }
    return was;
  });
  if (open !== null) throw new NotEditable();
  return inside;
}

/** Linear, which a pattern that ends with the text is not. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

/** `text` with the table `[group.name]` holding exactly `entry`. Throws `NotEditable` where that is not safe. */
export function withTomlEntry(
  text: string,
  group: string,
  name: string,
  entry: Readonly<Record<string, unknown>>,
): string {
  const lines = text.split('\n');
  const inside = insideTexts(lines);
  const isHeader = (at: number): boolean => inside[at] !== true && HEADER.test(lines[at] ?? '');
  if (lines.some((line, at) => inside[at] !== true && OTHER_FORMS.test(line))) {
    throw new NotEditable();
  }
  const table = tableOf(group, name, entry);
  const own = `[${group}.${name}]`;
  const from = lines.findIndex((line, at) => isHeader(at) && line.trim() === own);
  if (from === -1) {
    const before = text.trim() === '' ? '' : `${withoutLastBreaks(text)}\n\n`;
    return `${before}${table.join('\n')}\n`;
  }
  const next = lines.findIndex((_, at) => at > from && isHeader(at));
  const end = next === -1 ? lines.length : next;
  // Blank lines and remarks before the next table are not its own.
  let to = end;
  while (to > from + 1 && /^\s*(?:#.*)?$/.test(lines[to - 1] ?? '')) to -= 1;
  return [...lines.slice(0, from), ...table, ...lines.slice(to)].join('\n');
}
