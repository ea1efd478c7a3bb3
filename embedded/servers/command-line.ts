/** Option names and values as program arguments, in the order given; `true` stands for a bare switch. */
export function flags(
  options: Readonly<Record<string, string | number | true>>,
): readonly string[] {
  return Object.entries(options).flatMap(([name, value]) =>
    value === true ? [name] : [name, `${value}`],
  );
}

/** The same option once for every value. */
export function repeated(name: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value) => [name, value]);
}
