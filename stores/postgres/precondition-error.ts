/** The process must not start. The message is complete and holds no secret. */
export class PreconditionError extends Error {
  override readonly name = 'PreconditionError';
}
