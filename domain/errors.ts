/**
 * Every refusal the service can give, in one table. Codes are stable and public; sentences carry no caller
 * data. Statuses belong to the HTTP door, which maps the code once.
 */
export const SENTENCES = {
  malformed_json: 'The request body is not valid JSON.',
  invalid_request: 'The request has missing or invalid fields.',
  unsupported_protocol: 'The service does not speak this revision of the protocol.',
  unauthorized: 'The request has no valid credential.',
  human_identity_required: 'This action needs a person who signed in with a password.',
  forbidden: 'This credential does not permit that action.',
  unknown_peer: 'This account has no peer with that key.',
  not_found: 'Not found.',
  method_not_allowed: 'This path does not support that method.',
  request_timeout: 'The request body arrived too slowly.',
  conflict: 'The request conflicts with the current state.',
  payload_too_large: 'The request body or one of its fields is too large.',
  unsupported_media_type: 'The service does not accept this media type here.',
  rate_limited: 'Too many requests.',
  unavailable: 'A component that the request needs is unavailable. Try again later.',
  internal_error: 'The service failed unexpectedly.',
} as const;

export type RefusalCode = keyof typeof SENTENCES;

export const REFUSAL_CODES = Object.keys(SENTENCES) as readonly RefusalCode[];

export interface FieldProblem {
  /** Dotted path of the field, `''` for the body itself. */
  readonly path: string;
  readonly message: string;
}

/**
 * A refusal. A door shows it to the caller unchanged. Any other error that reaches a door is a defect of the service.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly fields: readonly FieldProblem[] | null;
  readonly retryAfterSeconds: number | null;
  override readonly name = 'Refusal';

  constructor(
    code: RefusalCode,
    details: {
      readonly fields?: readonly FieldProblem[];
      readonly retryAfterSeconds?: number;
      readonly cause?: unknown;
    } = {},
  ) {
    super(SENTENCES[code], { cause: details.cause });
    this.code = code;
    this.fields = details.fields ?? null;
    this.retryAfterSeconds = details.retryAfterSeconds ?? null;
  }
}

/** A refusal about one field. The message must not quote the value. */
export function invalidField(path: string, message: string): Refusal {
  return new Refusal('invalid_request', { fields: [{ path, message }] });
}
