/**
 * Checks every JSON value on its way in. Text that Postgres cannot keep as it is (NUL, lone surrogates) is refused
 * wherever it stands. Members that are null count as absent, except for operations that refuse unknown members.
 */
import { invalidField } from '../domain/errors.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether members that are null are left out or kept. */
export type Nulls = 'absent' | 'kept';

/** Levels of a body; the body itself is the first. */
export const DEEPEST_JSON = 64;

/** Whether the value is a JSON object: not null, not an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Why a text cannot be stored as it is, in words for its sender; null when it can. */
function problemOfText(text: string): string | null {
  if (text.includes('\u0000')) return 'must not contain NUL characters';
  return text.isWellFormed() ? null : 'must not contain lone surrogates';
}

/** Throws `invalid_request` for text with a NUL character or a lone surrogate. */
export function assertStorableText(text: string, path: string): void {
  const problem = problemOfText(text);
  if (problem !== null) throw invalidField(path, problem);
}

/** Joins the path for a refusal only, because a body has many texts and its names may be long. */
function assertStorableAt(text: string, path: readonly string[]): void {
  const problem = problemOfText(text);
  if (problem !== null) throw invalidField(path.join('.'), problem);
}

/**
 * A copy, by default without null members. Throws `invalid_request` for text that cannot be kept, and past 64 levels.
 * `path` says where `value` stands; it is changed during the call and is as before afterwards.
 */
export function cleanJson(value: unknown, nulls: Nulls = 'absent', path: string[] = []): unknown {
  if (typeof value === 'string') {
    assertStorableAt(value, path);
    return value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (path.length >= DEEPEST_JSON)
    throw invalidField('', `must not nest deeper than ${DEEPEST_JSON} levels`);
  return Array.isArray(value) ? cleanArray(value, nulls, path) : cleanObject(value, nulls, path);
}

function cleanAt(key: string, value: unknown, nulls: Nulls, path: string[]): unknown {
  path.push(key);
  const cleaned = cleanJson(value, nulls, path);
  path.pop();
  return cleaned;
}

function cleanArray(items: readonly unknown[], nulls: Nulls, path: string[]): unknown[] {
  return items.map((item, index) => cleanAt(String(index), item, nulls, path));
}

function cleanObject(object: object, nulls: Nulls, path: string[]): JsonObject {
  const members: [string, unknown][] = [];
  for (const [key, member] of Object.entries(object)) {
    assertStorableAt(key, path);
    if (member !== null || nulls === 'kept') members.push([key, cleanAt(key, member, nulls, path)]);
  }
  // fromEntries defines properties, so a member called `__proto__` stays a member.
  return Object.fromEntries(members);
}
