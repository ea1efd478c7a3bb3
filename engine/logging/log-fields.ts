/**
 * What a log line may hold, checked where it is written. Text passes when it is an internal id, a hash, an
 * instant, a counter, or a word of a closed list; names of the program's classes, types and queues pass in the
 * fields that are meant for them. Any other text is replaced, because it may be text that a caller sent.
 */
import { constants } from 'node:os';
import { ErrorStatusCode } from 'meilisearch';
import { SWEEP_KINDS } from '../../domain/governance/sweeps.ts';
import { LANES } from '../../domain/actors/names.ts';
import { isCommit, isSafeText, isUuid } from '../../domain/workflow-history/safe-text.ts';
import { FAILURE_CODES, SEARCH_ATTRIBUTE_WORDS } from '../../domain/workflow-history/vocabulary.ts';
import { REFUSAL_CODES } from '../../domain/errors.ts';
import { MODEL_ROLES } from '../../domain/models/roles.ts';
import { ALL_ROLES } from '../../domain/models/token-limits.ts';

export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Replaces an event or a text that may not be written. In a log it shows a defect of the program. */
const WITHHELD = 'withheld';
const WITHHELD_EVENT = 'log.withheld';

/** `noun.verb`, for example `worker.started`; the contract names one event with three parts. */
const EVENT = /^[a-z]+(?:_[a-z]+)*(?:\.[a-z]+(?:_[a-z]+)*){1,2}$/;
const TRACE_ID = /^[0-9a-f]{32}$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

/** The names of fields. Any other name is replaced too, because it could be a key of a caller's object. */
export const LOG_FIELDS: ReadonlySet<string> = new Set([
  'places',
  'account_id',
  'activityType',
  'anchors',
  'build',
  'class',
  'code',
  'consecutive_failures',
  'engine',
  'entries',
  'error',
  'error_class',
  'failed',
  'failure',
  'kind',
  'lane',
  'lanes',
  'limit',
  'limit_of',
  'mailboxes',
  'model',
  'model_version',
  'output_tokens',
  'port',
  'provider',
  'reason',
  'role',
  'runId',
  'runs',
  'sdkComponent',
  'spans',
  'taskQueue',
  'trace_id',
  'transition',
  'units',
  'workflowId',
  'workflowType',
]);

/** Further words of the program that may be values of fields. */
const LOG_WORDS: ReadonlySet<string> = new Set([
  '',
  'non_error',
  WITHHELD,
  'meilisearch',
  'qdrant',
  'away',
  'refused',
  'timeout',
  'opened',
  'probing',
  'closed',
  'blocked',
  ALL_ROLES,
  ...MODEL_ROLES,
  ...LANES,
  ...SWEEP_KINDS,
  ...FAILURE_CODES,
  ...REFUSAL_CODES,
  ...SEARCH_ATTRIBUTE_WORDS,
]);

/** Fields that name a part of this program or of a library. They are never filled from data. */
const NAME_FIELDS: ReadonlySet<string> = new Set([
  'error',
  'workflowType',
  'activityType',
  'taskQueue',
  'sdkComponent',
]);

/** Fields that hold settings of a role, which operators write and callers cannot reach. */
const SETTING_FIELDS: ReadonlySet<string> = new Set(['provider', 'model', 'model_version']);
const SETTING = /^[\x21-\x7e]{1,200}$/;

const HTTP_STATUS = /^[1-5][0-9]{2}$/;
const SQLSTATE = /^(?:[0-5][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;
/** Codes of Node, its resolver, its HTTP parser and its fetch; Node exports no list of them all. */
const LIBRARY_CODE = /^(?:ERR|UND_ERR|HPE|EAI)_[A-Z][A-Z0-9_]{1,60}$/;
const ERROR_CODES: ReadonlySet<string> = new Set([
  ...Object.keys(constants.errno),
  ...Object.values<string>(ErrorStatusCode),
  ...FAILURE_CODES,
  ...REFUSAL_CODES,
  'ABORT_ERR',
  'ENOTFOUND',
  'canceled',
  'failed',
]);

/** Whether the text is a code of the system, Postgres, an index or a library; other text like a code is not. */
export function isErrorCode(text: string): boolean {
  if (ERROR_CODES.has(text)) return true;
  return [HTTP_STATUS, SQLSTATE, LIBRARY_CODE].some((shape) => shape.test(text));
}

function mayStand(field: string, text: string): boolean {
  if (LOG_WORDS.has(text) || isSafeText(text) || isUuid(text)) return true;
  if (isCommit(text) || TRACE_ID.test(text)) return true;
  if (field === 'code') return isErrorCode(text);
  if (SETTING_FIELDS.has(field)) return SETTING.test(text);
  return NAME_FIELDS.has(field) && NAME.test(text);
}

/** The event itself, or `WITHHELD_EVENT` when it is not a valid event name. */
export function safeEvent(event: string): string {
  return EVENT.test(event) ? event : WITHHELD_EVENT;
}

/** The fields as they may be written: numbers and flags as they are, text checked, anything else replaced. */
export function safeFields(fields: LogFields): LogFields {
  const checked = Object.entries(fields).map(([field, value]: [string, unknown]) => {
    const name = LOG_FIELDS.has(field) ? field : WITHHELD;
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
      return [name, value];
    }
    return [name, typeof value === 'string' && mayStand(field, value) ? value : WITHHELD];
  });
  return Object.fromEntries(checked);
}

/**
 * The fields of an error that may be logged: its class name and code, never its message or stack. The name is read
 * from the prototype, which is program text; the error's own members may hold any text.
 */
export function errorFields(error: unknown): LogFields {
  if (typeof error !== 'object' || error === null) return { error: 'non_error' };
  const constructor: unknown = Object.getPrototypeOf(error)?.constructor;
  // Some libraries leave `name` at Error and tell their errors apart by class only.
  const name = typeof constructor === 'function' ? constructor.name : '';
  const code: unknown = Reflect.get(error, 'code');
  return {
    error: NAME.test(name) ? name : 'Error',
    ...(typeof code === 'string' && isErrorCode(code) ? { code } : {}),
  };
}
