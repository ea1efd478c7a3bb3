/** Recorded histories on disk, and the check that one holds nothing but tokens. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { SEARCH_ATTRIBUTES } from '../../domain/actors/names.ts';
import {
  isActorId,
  isSearchAttribute,
  isUuid,
  refuse,
} from '../../domain/workflow-history/safe-text.ts';
import { FAILURE_CODES } from '../../domain/workflow-history/vocabulary.ts';

export const HISTORIES = fileURLToPath(new URL('./histories', import.meta.url));

export interface RecordedHistory {
  /** The folder: the name of a workflow type. */
  readonly type: string;
  /** `<type>/<case>.json` */
  readonly name: string;
  readonly text: string;
}

/** Every history below the folder, sorted by name. A folder of its own for each workflow type. */
export function recordedHistories(): readonly RecordedHistory[] {
  return readdirSync(HISTORIES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .map((name) => ({
      type: name.split('/')[0] ?? '',
      name,
      text: readFileSync(`${HISTORIES}/${name}`, 'utf8'),
    }));
}

/** The type that a history names in its first event. */
export function workflowTypeOf(text: string): string | undefined {
  const [started] = historyFromJSON(JSON.parse(text)).events ?? [];
  return started?.workflowExecutionStartedEventAttributes?.workflowType?.name ?? undefined;
}

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const INTEGER = matches(/^\d{1,19}$/);
const NAME = matches(/^[A-Za-z][A-Za-z0-9]{0,63}$/);
const QUEUE = matches(/^[a-z][a-z0-9-]{0,63}$/);
const DURATION = matches(/^\d+(?:\.\d{1,9})?s$/);

/** Our ids of schedules are words; a schedule adds the instant to the ids of what it starts. */
const SCHEDULE_ID = matches(/^[a-z]+(?:[-/][a-z]+){0,3}(?:\/[0-9a-f-]{36})?$/);
const SCHEDULED_AT = /-workflow-?(?=\d{4}-)|-(?=\d{4}-\d{2}-\d{2}T[\d:]+Z$)/;

function isExecutionId(text: string): boolean {
  if (isActorId(text)) return true;
  const [id = '', instant] = text.split(SCHEDULED_AT);
  return instant !== undefined && (isActorId(id) || SCHEDULE_ID(id));
}

/** Labels are ours, but for those that the server gives to what a schedule started. */
function labelProblem(name: string, value: unknown): string | null {
  const ours: readonly string[] = SEARCH_ATTRIBUTES;
  if (ours.includes(name)) return isSearchAttribute(name, value) ? null : 'a label';
  if (name === 'TemporalScheduledStartTime') return refuse(value) === null ? null : 'a label';
  const byId = name === 'TemporalScheduledById' && typeof value === 'string';
  return byId && (isActorId(value) || SCHEDULE_ID(value)) ? null : 'a label';
}

/** What text may stand outside payloads, by the end of its field's name. Any other field may hold none. */
const FIELDS: readonly (readonly [RegExp, Check])[] = [
  [/^eventTime$/, matches(/^\d{4}-\d{2}-\d{2}T[\d:.]{8,18}Z$/)],
  [/(?:[tT]ype|State|Policy|^kind|^cause|^initiator|^status)$/, matches(/^[A-Z][A-Z0-9_]{0,79}$/)],
  [/^(?:(?:\w*[eE]ventId)|taskId|timerId|activityId|historySizeBytes)$/, INTEGER],
  [/(?:Timeout|Interval|Backoff|^ttl)$/, DURATION],
  [/(?:RunId|^runId|requestId|protocolInstanceId|updateId|namespaceId)$/, isUuid],
  [/^acceptedRequestMessageId$/, (text) => isUuid(text.replace(/\/request$/, ''))],
  [/^workflowId$/, isExecutionId],
  [
    /^identity$/,
    matches(
      /^(?:(?:api|worker|worker-core|start|cli)(?:-\d{1,3})?|temporal-scheduler-[a-z0-9-]{1,80})$/,
    ),
  ],
  [/^(?:signalName|name|normalName|namespace)$/, (text) => NAME(text) || QUEUE(text)],
  [/^buildId$/, matches(/^(?:dev|[0-9a-f]{7,40})$/)],
  [/^sdkName$/, matches(/^temporal-typescript$/)],
  [/^sdkVersion$/, matches(/^\d+\.\d+\.\d+$/)],
  [/^(?:message)$/, (text) => FAILURE_CODES.has(text)],
  [/^source$/, matches(/^(?:TypeScriptSDK|Server)$/)],
];

function isPayload(value: object): value is { readonly data?: string; readonly metadata: object } {
  return (
    'metadata' in value && Object.keys(value).every((key) => key === 'data' || key === 'metadata')
  );
}

function payloadProblem(path: string, data: string): string | null {
  if (data === '') return null;
  const value: unknown = JSON.parse(Buffer.from(data, 'base64').toString('utf8'));
  const label = /\.indexedFields\.(.+)$/.exec(path)?.[1];
  if (label !== undefined) return labelProblem(label, value);
  return refuse(value) === null ? null : 'a payload';
}

/**
 * Where a history says more than tokens: paths of fields, never what stands there. Empty when it may be kept.
 */
export function proseIn(value: unknown, path = ''): string[] {
  if (typeof value === 'string') {
    const field = path.slice(path.lastIndexOf('.') + 1);
    return FIELDS.some(([name, isToken]) => name.test(field) && isToken(value)) ? [] : [path];
  }
  if (Array.isArray(value)) return value.flatMap((item) => proseIn(item, path));
  if (typeof value !== 'object' || value === null) return [];
  if (isPayload(value)) {
    const problem = payloadProblem(path, value.data ?? '');
    return problem === null ? [] : [`${path}: ${problem}`];
  }
  return Object.entries(value).flatMap(([key, item]) => proseIn(item, `${path}.${key}`));
}
