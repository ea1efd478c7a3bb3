/** Changes one member of one object in a text of JSON, and leaves every other character as it is. */

interface Member {
  readonly name: string;
  /** Where the name begins, and where the value begins and ends. */
  readonly from: number;
  readonly valueFrom: number;
  readonly valueTo: number;
}

/** Thrown for a text that is no JSON object, or whose member is none. */
export class NotEditable extends Error {
  override readonly name = 'NotEditable';
}

const SPACE = /[\t\n\r ]/;

/** The end of the string that begins at `at`. */
function stringEnd(text: string, at: number): number {
  let to = at + 1;
  while (text[to] !== '"') to += text[to] === '\\' ? 2 : 1;
  return to + 1;
}

/** The end of the value that begins at `at`. The text is valid JSON. */
function valueEnd(text: string, at: number): number {
  const first = text[at] ?? '';
  if (first === '"') return stringEnd(text, at);
  // A number or a word ends before what cannot be part of it.
  if (first !== '{' && first !== '[') return skip(text, at, /[^,}\]\t\n\r ]/);
  let depth = 0;
  let to = at;
  do {
    const char = text[to] ?? '';
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    to = char === '"' ? stringEnd(text, to) : to + 1;
  } while (depth > 0);
  return to;
}

function skip(text: string, at: number, char = SPACE): number {
  let to = at;
  while (to < text.length && char.test(text[to] ?? '')) to += 1;
  return to;
}

/** The members of the object that begins at `at`, and where its closing brace stands. */
function membersAt(text: string, at: number): { members: Member[]; close: number } {
  const members: Member[] = [];
  let from = skip(text, at + 1);
  while (text[from] === '"') {
    const nameTo = stringEnd(text, from);
    const name: unknown = JSON.parse(text.slice(from, nameTo));
    const valueFrom = skip(text, nameTo, /[\t\n\r :]/);
    const valueTo = valueEnd(text, valueFrom);
    members.push({ name: String(name), from, valueFrom, valueTo });
    from = skip(text, valueTo, /[\t\n\r ,]/);
  }
  return { members, close: from };
}

/** The last member of a name is the one that counts. */
const named = (members: readonly Member[], name: string): Member | undefined =>
  members.findLast((member) => member.name === name);

function indented(value: unknown, levels: number): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${'  '.repeat(levels)}`);
}

function added(text: string, at: number, name: string, value: string, levels: number): string {
  const { close, members } = membersAt(text, at);
  const last = members.at(-1);
  const member = `\n${'  '.repeat(levels)}${JSON.stringify(name)}: ${value}`;
  if (last !== undefined) {
    return `${text.slice(0, last.valueTo)},${member}${text.slice(last.valueTo)}`;
  }
  const end = `\n${'  '.repeat(levels - 1)}`;
  return `${text.slice(0, at + 1)}${member}${end}${text.slice(close)}`;
}

/**
 * `text` with the member `name` of the object `group` set to `entry`; an empty text counts as the empty object. Throws
 * `NotEditable` for what is no JSON object, comments included.
 */
export function withJsonEntry(text: string, group: string, name: string, entry: object): string {
  const source = text.trim() === '' ? '{}\n' : text;
  try {
    if (!/^\s*\{/.test(source)) throw new NotEditable();
    JSON.parse(source);
  } catch {
    throw new NotEditable();
  }
  const root = skip(source, 0);
  const found = named(membersAt(source, root).members, group);
  if (found === undefined) return added(source, root, group, indented({ [name]: entry }, 1), 1);
  if (source[found.valueFrom] !== '{') throw new NotEditable();
  const own = named(membersAt(source, found.valueFrom).members, name);
  const value = indented(entry, 2);
  if (own === undefined) return added(source, found.valueFrom, name, value, 2);
  const there: unknown = JSON.parse(source.slice(own.valueFrom, own.valueTo));
  if (JSON.stringify(there) === JSON.stringify(entry)) return source;
  return `${source.slice(0, own.valueFrom)}${value}${source.slice(own.valueTo)}`;
}
