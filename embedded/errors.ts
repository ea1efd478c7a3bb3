/**
 * The reason why the embedded servers cannot start or go on, in one line that says what to do. The message is for the
 * person at the terminal: it holds paths, ports and process ids, never stored content.
 */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
}

/**
 * The `code` of a Node system error (`ENOENT`, `EACCES`, …), or undefined for anything else.
 * Looks at the property rather than the class: in a VM context, such as a test runner's, the errors
 * of Node's own modules are instances of another `Error`.
 */
export function errorCode(error: unknown): string | undefined {
  return textProperty(error, 'code');
}

/**
 * A short text, one line, for a cause that is shown to the operator: the code where there is one, or the
 * last line that a failed program wrote to standard error.
 */
export function causeText(error: unknown): string {
  if (error instanceof EmbeddedError) return error.message;
  const text =
    textProperty(property(error, 'cause'), 'code') ??
    errorCode(error) ??
    textProperty(error, 'stderr')?.trim().split('\n').at(-1) ??
    textProperty(error, 'message')?.split('\n')[0];
  return text === undefined || text === '' ? 'unknown cause' : text.slice(0, 300);
}

/** A property that holds text, of a value that may be anything. */
function textProperty(value: unknown, name: string): string | undefined {
  const found = property(value, name);
  return typeof found === 'string' ? found : undefined;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
