/**
 * Every word that may stand in a workflow history. The lists are closed on purpose: a pattern such as "letters and
 * dashes" would admit session ids and scope names of callers. A new field, counter or code of an actor's message must
 * be added here; the test of the converters shows a missing one.
 */
import { ERASURE_STEPS } from '../erasure/words.ts';
import { RETENTION_KINDS } from '../retention/policy.ts';
import { UNIT_KINDS } from '../retrieval/units.ts';
import { ERROR_CLASSES } from '../error-class.ts';

/** Names of fields in arguments and results. They are admitted as keys of objects, never as values. */
export const FIELD_NAMES: ReadonlySet<string> = new Set([
  'accountId',
  'accountIds',
  'accounts',
  'afterId',
  'anchors',
  'aside',
  'at',
  'batches',
  'carried',
  'changed',
  'chunks',
  'drains',
  'ended',
  'erased',
  'errorClass',
  'failed',
  'limited',
  'kind',
  'marked',
  'marks',
  'maxMs',
  'maxUnits',
  'more',
  'next',
  'nextAfterId',
  'nextDueInMs',
  'nextInMs',
  'ok',
  'pages',
  'paused',
  'pending',
  'place',
  'placed',
  'purged',
  'remaining',
  'replayed',
  'attempts',
  'retry',
  'rows',
  'runId',
  'scopes',
  'shard',
  'step',
  'superseded',
  'totals',
  'unit',
  'units',
  'until',
  'uploads',
  'vectors',
  'versions',
  'waitMs',
  'waiting',
]);

/** Fields that hold the id of a row where a page ended. Rows may have come from elsewhere with ids of any version. */
export const ROW_ID_FIELDS: ReadonlySet<string> = new Set(['afterId', 'nextAfterId']);

/** Counters of summaries, details and heartbeats: `drains=3/ok=48`. */
export const COUNTERS: ReadonlySet<string> = new Set([
  'accounts',
  'anchors',
  'aside',
  'batches',
  'changed',
  'chunks',
  'drain',
  'drains',
  'ended',
  'erased',
  'failed',
  'limited',
  'marks',
  'ok',
  'pages',
  'paused',
  'placed',
  'purged',
  'remaining',
  'replayed',
  'attempts',
  'retry',
  'rows',
  'scopes',
  'shard',
  'step',
  'superseded',
  'units',
  'uploads',
  'vectors',
  'versions',
  'waiting',
]);

/** Words that may be a value by themselves. */
export const WORDS: ReadonlySet<string> = new Set([
  ...ERROR_CLASSES,
  ...ERASURE_STEPS,
  ...UNIT_KINDS,
  ...RETENTION_KINDS,
]);

/** Codes of failures, the only thing a failure says. */
export const FAILURE_CODES: ReadonlySet<string> = new Set([
  'CANCELLED',
  'DB_CONFLICT',
  'DB_CONSTRAINT',
  'DB_ERROR',
  'DB_UNAVAILABLE',
  'INTERNAL',
  'NAME_REFUSED',
  'TEXT_REFUSED',
  'TIMEOUT',
  'TOO_LARGE',
  'TYPE_REFUSED',
  'UNAVAILABLE',
  ...ERROR_CLASSES.map((errorClass) => errorClass.toUpperCase()),
]);

/** Words of the search attributes `Lane` and `RunKind`; `BuildSha` says `dev` outside a build. */
export const SEARCH_ATTRIBUTE_WORDS: ReadonlySet<string> = new Set([
  'ingest',
  'projection',
  'documents',
  'governance',
  'document',
  'extraction',
  'projection_refresh',
  'regate',
  'contest',
  'decision',
  'erasure',
  'import_rebuild',
  'forgetting',
  'reconciler',
  'reconcile',
  'lifecycle',
  'retention',
  'dev',
]);
