/**
 * The closed list of content-safe failure classes and what each means for an extraction anchor.
 * Ledger, readiness, costs and answers use these words and no others.
 */

export const TRANSIENT_CLASSES = [
  'request_timeout',
  'transport_error',
  'provider_rate_limited',
  'provider_upstream_error',
  'circuit_open',
  'internal_error',
  'token_budget_exhausted',
] as const;

const REPAIRABLE_CLASSES = [
  'credentials_rejected',
  'model_not_found',
  'model_not_configured',
  'schema_not_enforced',
  'source_too_large',
  'provider_output_truncated',
  'embedding_width_mismatch',
  'campaign_cap_exhausted',
] as const;

const POISON_CLASSES = [
  'missing_structured_object',
  'missing_text_response',
  'structured_validation_failed',
  'provider_content_filtered',
  'extraction_budget_exhausted',
] as const;

export const ERROR_CLASSES = [
  ...TRANSIENT_CLASSES,
  ...REPAIRABLE_CLASSES,
  ...POISON_CLASSES,
] as const;
export type ErrorClass = (typeof ERROR_CLASSES)[number];

const KNOWN: ReadonlySet<string> = new Set(ERROR_CLASSES);

/** Whether the word is of the closed list. */
export function isErrorClass(word: string): word is ErrorClass {
  return KNOWN.has(word);
}

/** `failed` is retried by itself, `repairable` waits for an operator, `terminal` is poison. */
export type FailureStatus = 'failed' | 'repairable' | 'terminal';

const STATUS_BY_CLASS: ReadonlyMap<ErrorClass, FailureStatus> = new Map([
  ...TRANSIENT_CLASSES.map((c) => [c, 'failed'] as const),
  ...REPAIRABLE_CLASSES.map((c) => [c, 'repairable'] as const),
  ...POISON_CLASSES.map((c) => [c, 'terminal'] as const),
]);

/** The anchor status that a failure of this class leads to. */
export function failureStatus(errorClass: ErrorClass): FailureStatus {
  return STATUS_BY_CLASS.get(errorClass) ?? 'failed';
}

/** A failure that shows only its class. The cause stays in process and is never logged. */
export class ModelFailure extends Error {
  readonly errorClass: ErrorClass;
  /** Milliseconds until a call is worth trying again; null when that is not known. */
  readonly retryAfterMs: number | null;
  /** Whether this service failed (a defect or a slow machine) and not the provider. */
  readonly isOurs: boolean;
  override readonly name = 'ModelFailure';

  constructor(
    errorClass: ErrorClass,
    options: {
      readonly cause?: unknown;
      readonly retryAfterMs?: number;
      readonly isOurs?: boolean;
    } = {},
  ) {
    const { isOurs = errorClass === 'internal_error', retryAfterMs, ...rest } = options;
    super(errorClass, rest);
    this.errorClass = errorClass;
    this.retryAfterMs = retryAfterMs ?? null;
    this.isOurs = isOurs;
  }
}
