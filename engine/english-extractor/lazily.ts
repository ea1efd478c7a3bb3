/** Work that is done when its result is first asked for, and once. */

/** What `make` makes, made when it is first asked for: tagging is most of the cost of extraction. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
