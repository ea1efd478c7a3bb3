/** From the fields of a form to the arguments of a call, as a client would send them. */
import type { ToolCard, ToolResultAtHand } from '../../design/page.ts';

type Schema = Readonly<Record<string, unknown>>;

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/;

/**
 * Null for a field that is left out. A list has one entry a line. What a number or a switch cannot be goes as it was
 * typed: the tool refuses it.
 */
function argumentOf(text: string, { type }: Schema): unknown {
  if (text === '') return null;
  if (type === 'integer' || type === 'number') {
    const typed = text.trim();
    return NUMBER.test(typed) ? Number(typed) : text;
  }
  if (type === 'array') {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    return lines.length === 0 ? null : lines;
  }
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** The arguments that were typed; a field without a text is left out. Line ends are those of texts, not of forms. */
export function argumentsOf(
  { inputSchema }: Pick<ToolCard, 'inputSchema'>,
  form: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> {
  const given = Object.entries(inputSchema.properties).flatMap(([name, schema]) => {
    const text = (form[name] ?? '').replaceAll('\r\n', '\n');
    const value = argumentOf(text, schema);
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given);
}

/** The call as it goes over the wire, for a person to read and to copy. */
export function requestText(name: string, given: Readonly<Record<string, unknown>>): string {
  const params = { name, arguments: given };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, null, 2);
}

/** The answer to it. */
export function answerText(result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 1, result }, null, 2);
}

/** What a program reads of the result of a tool. */
export function contentText(result: ToolResultAtHand): string {
  return JSON.stringify(result.structuredContent, null, 2);
}
