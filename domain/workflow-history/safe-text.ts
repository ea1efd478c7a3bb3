/**
 * The grammar of the values that a workflow history may hold: our own ids, hex hashes, instants, integers, words of
 * closed lists, counters (`drains=3/ok=48`) and the ids of our own actors. Everything else counts as prose, because
 * prose cannot be told from the content and the names that callers send.
 */
import {
  MAILBOX_KINDS,
  RUN_WORKFLOW_KINDS,
  SCHEDULE_IDS,
  SEARCH_ATTRIBUTES,
} from '../actors/names.ts';
import {
  COUNTERS,
  FIELD_NAMES,
  ROW_ID_FIELDS,
  SEARCH_ATTRIBUTE_WORDS,
  WORDS,
} from './vocabulary.ts';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const IS_UUID = new RegExp(`^${UUID}$`);
/**
 * Our own ids are of version 7, from `newId` and `uuidv7()`. Callers' session ids are commonly of version 4,
 * so the version is what tells the two apart where no list can.
 */
const IS_OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const SCHEDULED_TIME = '[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z';
const ACTOR_IDS = [
  `(?:${MAILBOX_KINDS.join('|')})/${UUID}/[0-9]{1,4}`,
  `(?:${RUN_WORKFLOW_KINDS.join('|')})/${UUID}`,
  `(?:${SCHEDULE_IDS.join('|')})(?:-${SCHEDULED_TIME})?`,
];
const IS_ACTOR_ID = new RegExp(`^(?:${ACTOR_IDS.join('|')})$`);
/** SHA-256, and the SHA-1 of a commit. */
const IS_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const IS_COMMIT = /^[0-9a-f]{7,40}$/;
const IS_INSTANT =
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2})$/;
const COUNTER = /^([a-z_]{1,32})=([0-9]{1,15})$/;

const MAX_TEXT = 256;
const MAX_DEPTH = 6;

export type RefusedText = 'TEXT_REFUSED' | 'TYPE_REFUSED';

/** `{drains: 3, ok: 48}` as `drains=3/ok=48`. Counts are whole and not negative. */
export function counters(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([name, count]) => `${name}=${count}`)
    .join('/');
}

/** The named counters at the start: all of them zero. */
export function zeroCounters(names: readonly string[]): string {
  return counters(Object.fromEntries(names.map((name) => [name, 0])));
}

/** Counters of the closed list joined by `/`, at least one. */
export function isCounters(text: string): boolean {
  if (text.length > MAX_TEXT) return false;
  return text.split('/').every((part) => {
    const name = COUNTER.exec(part)?.[1];
    return name !== undefined && COUNTERS.has(name);
  });
}

/** The id of one of our actors: of a mailbox, of a run, of a schedule or of what a schedule started. */
export function isActorId(text: string): boolean {
  return IS_ACTOR_ID.test(text);
}

/** A UUID of any version, such as Temporal's run ids. */
export function isUuid(text: string): boolean {
  return IS_UUID.test(text);
}

/** A commit id, whole or shortened. */
export function isCommit(text: string): boolean {
  return IS_COMMIT.test(text);
}

/** The form of each search attribute. Attributes are never encoded, so a chat id of digits must not pass. */
const SEARCH_ATTRIBUTE_RULES: Readonly<
  Record<(typeof SEARCH_ATTRIBUTES)[number], (text: string) => boolean>
> = {
  Lane: (text) => SEARCH_ATTRIBUTE_WORDS.has(text),
  RunKind: (text) => SEARCH_ATTRIBUTE_WORDS.has(text),
  AccountRef: isUuid,
  BuildSha: (text) => text === 'dev' || isCommit(text),
};

/** Whether the search attribute is one of ours and its value is of its own kind. */
export function isSearchAttribute(name: string, value: unknown): boolean {
  const known = SEARCH_ATTRIBUTES.find((attribute) => attribute === name);
  return known !== undefined && typeof value === 'string' && SEARCH_ATTRIBUTE_RULES[known](value);
}

/** True when `text` may stand in a history as a value. */
export function isSafeText(text: string): boolean {
  if (text.length > MAX_TEXT) return false;
  return (
    WORDS.has(text) ||
    IS_OWN_ID.test(text) ||
    IS_HASH.test(text) ||
    IS_INSTANT.test(text) ||
    IS_ACTOR_ID.test(text) ||
    isCounters(text)
  );
}

function refuseObject(value: object, depth: number): RefusedText | null {
  if (Array.isArray(value)) {
    return value.reduce<RefusedText | null>((found, item) => found ?? refuse(item, depth), null);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  // A class may hide text behind toJSON. Another realm's Object is recognised by having no parent.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return 'TYPE_REFUSED';
  if (Reflect.ownKeys(value).includes('toJSON')) return 'TYPE_REFUSED';
  for (const [key, item] of Object.entries(value)) {
    if (!FIELD_NAMES.has(key)) return 'TEXT_REFUSED';
    if (ROW_ID_FIELDS.has(key) && typeof item === 'string' && isUuid(item)) continue;
    const refusal = refuse(item, depth);
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * Why `value` must not enter a history, or null when it may. Objects are plain, their keys are known field
 * names, numbers are safe integers, at most six levels.
 */
export function refuse(value: unknown, depth = 0): RefusedText | null {
  switch (typeof value) {
    case 'undefined':
    case 'boolean':
      return null;
    case 'number':
      return Number.isSafeInteger(value) ? null : 'TYPE_REFUSED';
    case 'string':
      return isSafeText(value) ? null : 'TEXT_REFUSED';
    case 'object':
      if (value === null) return null;
      return depth >= MAX_DEPTH ? 'TYPE_REFUSED' : refuseObject(value, depth + 1);
    case 'bigint':
    case 'function':
    case 'symbol':
    default:
      return 'TYPE_REFUSED';
  }
}
