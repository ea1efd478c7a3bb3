/**
 * What stands in the place of a secret. One fixed word: two masked texts do not tell whether their secrets were
 * the same, nor how long they were.
 */
export const MASK = '[secret]';
