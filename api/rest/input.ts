/** Puts an operation's input together from path, query and body. */
import { Refusal } from '../../domain/errors.ts';
import { assertStorableText, type JsonObject } from '../json-text.ts';
import type { QueryType, Route } from './route.ts';

/** RFC 9562 with its version and variant: nothing else was ever given out as an id. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INTEGER = /^[+-]?\d+$/;

/** An integer past the safe range becomes the end of that range: every bounded integer is clamped anyway. */
function readInteger(text: string): unknown {
  if (!INTEGER.test(text)) return text;
  const value = Number(text);
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, value));
}

function readBoolean(text: string): unknown {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : text;
}

const READERS: Readonly<Record<QueryType, (text: string) => unknown>> = {
  text: (text) => text,
  texts: (text) => [text],
  name: (text) => text,
  integer: readInteger,
  boolean: readBoolean,
};

/** A parameter that is given several times stays a list, which every schema but that of `texts` refuses. */
function queryMembers(
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
  types: Readonly<Record<string, QueryType>>,
): [string, unknown][] {
  return Object.entries(types).flatMap(([name, type]): [string, unknown][] => {
    const given = query[name];
    if (given === undefined) return [];
    if (typeof given !== 'string') {
      if (type === 'texts') for (const text of given) assertStorableText(text, name);
      return [[name, given]];
    }
    if (type !== 'name') assertStorableText(given, name);
    return [[name, READERS[type](given)]];
  });
}

/** An id in lower case. One that is no UUID gets the same answer as one that does not exist. */
export function readId(text: string): string {
  const id = text.toLowerCase();
  if (!UUID.test(id)) throw new Refusal('not_found');
  return id;
}

function pathMembers(
  { pathFields = {} }: Route,
  params: Readonly<Record<string, string>>,
): [string, unknown][] {
  return Object.entries(params).map(([name, text]) => [pathFields[name] ?? name, readId(text)]);
}

/** Body members first, so that path and query win where a name is used twice. */
export function assembleInput(
  route: Route,
  request: {
    readonly params: Readonly<Record<string, string>>;
    readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly body: JsonObject;
  },
): JsonObject {
  return Object.fromEntries([
    ...Object.entries(request.body),
    ...queryMembers(request.query, route.query ?? {}),
    ...pathMembers(route, request.params),
  ]);
}
