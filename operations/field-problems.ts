/**
 * The problems of an input's fields, in words that tell the caller what to send instead. The words come from the
 * schema. They never repeat the value, because errors appear in logs and metrics, where no content belongs.
 */
import type { z } from 'zod';
import type { FieldProblem } from '../domain/errors.ts';

type Issue = z.core.$ZodRawIssue;
type Of<Code extends Issue['code']> = Extract<Issue, { code: Code }>;

/** The words for each type of a schema. */
const TYPES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  never: 'absent',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
  tuple: 'a list',
};

type Bound = Of<'too_small'> | Of<'too_big'>;
type Side = 'least' | 'most';

const FORMATS: Readonly<Record<string, string>> = {
  datetime: 'an ISO 8601 date-time',
  email: 'an e-mail address',
  url: 'an address',
  uuid: 'a UUID',
};

/** The unit of a bound, by kind of value; a bound of a number has none. */
const COUNTED: Readonly<Record<string, readonly [one: string, more: string]>> = {
  array: ['entry', 'entries'],
  string: ['character', 'characters'],
};

function boundWords({ inclusive = true, origin }: Bound, side: Side, bound: bigint | number) {
  const counted = COUNTED[origin];
  if (counted !== undefined) {
    return `must have at ${side} ${bound} ${counted[Number(bound) === 1 ? 0 : 1]}`;
  }
  if (inclusive) return `must be at ${side} ${bound}`;
  return `must be ${side === 'least' ? 'more' : 'less'} than ${bound}`;
}

function valueWords({ values }: Of<'invalid_value'>): string {
  const words = values.map(String);
  return words.length === 1 ? `must be ${words[0]}` : `must be one of: ${words.join(', ')}`;
}

/** The forms that a union allows, where each failed as a whole. */
function unionWords({ errors }: Of<'invalid_union'>): string {
  const wholes = errors.map(([first, ...more]) =>
    first !== undefined && more.length === 0 && first.path.length === 0 ? first.message : null,
  );
  const words = [...new Set(wholes)];
  return words.length === 0 || words.includes(null)
    ? 'has none of the forms that are allowed here'
    : words.join(', or ');
}

const UNSAID = (): string => 'is not valid';

const WORDS: { readonly [Code in Issue['code']]: (issue: Of<Code>) => string } = {
  invalid_type: ({ expected }) => `must be ${TYPES[expected] ?? 'of another type'}`,
  invalid_value: valueWords,
  invalid_union: unionWords,
  invalid_format: ({ format }) => `must be ${FORMATS[format] ?? 'of the form that is described'}`,
  too_small: (issue) => boundWords(issue, 'least', issue.minimum),
  too_big: (issue) => boundWords(issue, 'most', issue.maximum),
  unrecognized_keys: () => 'has a field that is unknown here',
  custom: UNSAID,
  invalid_element: UNSAID,
  invalid_key: UNSAID,
  not_multiple_of: UNSAID,
};

/** An error map of Zod, for a parse: the words for an issue whose schema has none of its own. */
export function problemWords(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  const words = WORDS[issue.code] as (issue: Issue) => string;
  return words(issue);
}

/** The problems of a parse that was given `problemWords`. */
export function fieldProblems(error: z.ZodError): readonly FieldProblem[] {
  return error.issues.map(({ message, path }) => ({ path: path.join('.'), message }));
}
