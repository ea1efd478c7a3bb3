/**
 * Marks the description of a field that accepts any value but has one type. A value of another type means the default.
 * The description names the type for authors of clients. The mark tells tests that the service does not refuse other
 * types.
 */
export const LENIENT = 'x-lenient';
