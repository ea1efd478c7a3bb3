/**
 * Marks the description of a field that takes any value and means one type: what is none of that type means the default. The
 * type is described for who writes a client; the mark says that a request is not refused for another.
 */
export const LENIENT = 'x-lenient';
