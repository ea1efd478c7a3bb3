/** Why a document cannot be read, by a class of the closed list. */
import type { ErrorClass } from '../../domain/error-class.ts';

/**
 * `source_too_large`: past a bound of this service. `structured_validation_failed`: not what its media type says.
 * `request_timeout`: not read in time, which may be the machine's fault; another attempt may succeed.
 */
export type DocumentFailureClass = Extract<
  ErrorClass,
  'source_too_large' | 'structured_validation_failed' | 'request_timeout'
>;

/** A failure that tells its class and nothing of the document. */
export class DocumentFailure extends Error {
  readonly errorClass: DocumentFailureClass;
  override readonly name = 'DocumentFailure';

  constructor(errorClass: DocumentFailureClass, options: { readonly cause?: unknown } = {}) {
    super(errorClass, options);
    this.errorClass = errorClass;
  }
}
