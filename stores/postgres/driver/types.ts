/** How values of Postgres are read, by the numbers of their types. */
import { types, type CustomTypesConfig } from 'pg';
import type { DriverTypeParser } from 'slonik';

/** Types of every Postgres, and arrays of them: their numbers are part of its catalogue and never change. */
const NUMBERS: Readonly<Record<string, readonly [one: number, array: number]>> = {
  date: [1082, 1182],
  int8: [20, 1016],
  interval: [1186, 1187],
  numeric: [1700, 1231],
  timestamptz: [1184, 1185],
};
const TEXT_ARRAY = 1009;

/** The parser that `pg` has for a type. */
const usual = types.getTypeParser as (
  type: number,
  format?: 'text' | 'binary',
) => (text: string) => unknown;
const textArray = usual(TEXT_ARRAY) as (text: string) => readonly (string | null)[];

/** Reads values by these parsers, and others as `pg` does. Throws TypeError for a type whose number is not known here. */
export function readingBy(parsers: readonly DriverTypeParser[]): CustomTypesConfig {
  const byNumber = new Map<number, (text: string) => unknown>();
  for (const { name, parse } of parsers) {
    const numbers = NUMBERS[name];
    if (numbers === undefined) throw new TypeError(`the number of the type ${name} is not known`);
    const [one, array] = numbers;
    byNumber.set(one, parse);
    byNumber.set(array, (text) =>
      textArray(text).map((item) => (item === null ? null : parse(item))),
    );
  }
  const getTypeParser = (type: number, format?: 'text' | 'binary') =>
    byNumber.get(type) ?? usual(type, format);
  return { getTypeParser: getTypeParser as CustomTypesConfig['getTypeParser'] };
}
