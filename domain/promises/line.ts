/**
 * The lines of the list: one JSON object each, which ends with a check over everything before it. Processes of several
 * machines append at once, and each may be killed at any moment. So a line may be cut, and a line says by itself whether
 * it is whole.
 */
import {
  PROMISE_FIELDS,
  PROMISE_KINDS,
  type GivenPromise,
  type PromiseField,
  type PromiseKind,
} from './kinds.ts';

/** The most bytes of a line, without its end. */
export const MOST_LINE_BYTES = 1_024;
export const PROMISE_VERSION = 1;

const OPENING = '{"promise":';
const CHECK = ',"check":"';
const CHECK_DIGITS = 16;

/** SHA-256 of a text in UTF-8, lower-case hex. */
export type Digest = (text: string) => string;

export type ReadLine =
  | { readonly state: 'promise'; readonly promise: GivenPromise }
  /** Nothing stands there. Every append begins with the end of a line, so that it never goes on with a cut one. */
  | { readonly state: 'blank' }
  /** The beginning of a line whose writer was killed: what it was to promise was not promised. */
  | { readonly state: 'cut' }
  /** A whole line of a later release, whose kind or form this release does not know. */
  | { readonly state: 'newer'; readonly kind: string | null }
  | { readonly state: 'foreign' };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HASH = /^[0-9a-f]{64}$/;
const KIND = /^[a-z][a-z_]{0,39}$/;

const isText = (value: unknown, form: RegExp): boolean =>
  typeof value === 'string' && form.test(value);
const isInstant = (value: unknown): boolean =>
  isText(value, INSTANT) && !Number.isNaN(Date.parse(String(value)));

function hasForm(value: unknown, field: PromiseField): boolean {
  switch (field) {
    case 'id':
      return isText(value, UUID);
    case 'id?':
      return value === null || isText(value, UUID);
    case 'time?':
      return value === null || isInstant(value);
    case 'hash':
      return isText(value, HASH);
    case 'flag':
      return typeof value === 'boolean';
    default:
      return typeof value === 'string' && field.includes(value);
  }
}

const fieldsOf = (kind: PromiseKind): readonly (readonly [string, PromiseField])[] =>
  Object.entries(PROMISE_FIELDS[kind]);

const ORIGIN = ['promise', 'kind', 'given_at', 'account_id', 'event_id'] as const;

type Json = Readonly<Record<string, unknown>>;

function hasOrigin(value: Json): boolean {
  const { account_id: accountId, event_id: eventId, given_at: givenAt } = value;
  return isText(accountId, UUID) && isText(eventId, UUID) && isInstant(givenAt);
}

function isGiven(value: Json, kind: PromiseKind): value is Json & GivenPromise {
  const fields = fieldsOf(kind);
  const isWhole = fields.every(([name, field]) => hasForm(value[name], field));
  const isAll = Object.keys(value).length === ORIGIN.length + fields.length + 1;
  return isWhole && isAll && hasOrigin(value);
}

/** The line without its end. */
export function lineOf(promise: GivenPromise, digest: Digest): string {
  const given: Json = { ...promise, promise: PROMISE_VERSION };
  const names = [...ORIGIN, ...fieldsOf(promise.kind).map(([name]) => name)];
  const body = JSON.stringify(Object.fromEntries(names.map((name) => [name, given[name]])));
  const checked = body.slice(0, -1);
  return `${checked}${CHECK}${digest(checked).slice(0, CHECK_DIGITS)}"}`;
}

/** The object, if the check over the text before it is right. */
function checkedJson(text: string, digest: Digest): Json | null {
  const at = text.lastIndexOf(CHECK);
  if (at < 0) return null;
  const checked = text.slice(0, at);
  const check = digest(checked).slice(0, CHECK_DIGITS);
  if (text.slice(at) !== `${CHECK}${check}"}`) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Whether the text may be the beginning of a line: it begins like one, and no line ends like it. */
function isCut(text: string): boolean {
  const isBeginning = text.startsWith(OPENING) || OPENING.startsWith(text);
  return isBeginning && !text.endsWith('}');
}

/**
 * Reads one line without its end. What is not exactly what a process of the service wrote is no promise. After a loss of
 * power a file may hold zeros where bytes were to stand.
 */
export function readLine(line: string, digest: Digest): ReadLine {
  const text = line.replaceAll('\0', '').trim();
  if (text === '') return { state: 'blank' };
  if (isCut(text)) return { state: 'cut' };
  if (text !== line) return { state: 'foreign' };
  const value = checkedJson(text, digest);
  if (value === null || !text.startsWith(OPENING)) return { state: 'foreign' };
  const kind = PROMISE_KINDS.find((known) => known === value['kind']);
  const { promise: version } = value;
  if (version === PROMISE_VERSION && kind !== undefined) {
    return isGiven(value, kind) ? { state: 'promise', promise: value } : { state: 'foreign' };
  }
  const isNewer = typeof version === 'number' && version >= PROMISE_VERSION;
  if (!isNewer) return { state: 'foreign' };
  return { state: 'newer', kind: isText(value['kind'], KIND) ? String(value['kind']) : null };
}
