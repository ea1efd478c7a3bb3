/**
 * Finds the JSON in a model's answer. Endpoints that do not enforce a schema wrap it in code fences, put
 * sentences around it or think aloud before it; none of that is a fault of the statements inside.
 */

/** Starts tried in one answer; past that the answer is prose that happens to hold brackets. */
const MAX_STARTS = 64;
/**
 * How often the text is read in all while its brackets are matched: one that is never closed is read to the end, and
 * thousands of them in a row would be.
 */
const MOST_READINGS = 4;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The largest JSON object or array in the text; undefined when there is none. */
export function unwrapJson(text: string): unknown {
  const body = afterThinking(text).trim();
  // Brackets are counted first: a parser makes a value of each that is opened before it finds one that is not closed.
  const whole = matchingEnd(body, 0) === body.length ? parseContainer(body) : undefined;
  if (whole !== undefined) return whole;

  let best: { readonly value: unknown; readonly length: number } | null = null;
  let position = nextStart(body, 0);
  let left = MOST_READINGS * body.length;
  for (let tries = 0; position !== -1 && tries < MAX_STARTS && left > 0; tries += 1) {
    const end = matchingEnd(body, position);
    left -= (end === -1 ? body.length : end) - position;
    const value = end === -1 ? undefined : parseContainer(body.slice(position, end));
    const length = end - position;
    if (value !== undefined && length > (best?.length ?? 0)) best = { value, length };
    position = nextStart(body, value === undefined ? position + 1 : end);
  }
  return best?.value;
}

function afterThinking(text: string): string {
  const end = text.lastIndexOf('</think>');
  return end === -1 ? text : text.slice(end + '</think>'.length);
}

function parseContainer(text: string): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nextStart(text: string, from: number): number {
  const offset = text.slice(from).search(/[{[]/);
  return offset === -1 ? -1 : from + offset;
}

/** Position after the bracket that closes the one at `start`, brackets in strings not counted; -1 if none. */
function matchingEnd(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) inString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return -1;
}
