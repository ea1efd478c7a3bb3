/**
 * The word in the place of a secret. It is fixed, so two masked texts do not tell whether their secrets were the
 * same, nor how long they were.
 */
export const MASK = '[secret]';
