/** How a task of a thread can fail. */
export type OffloadReason = 'timeout' | 'failed';

/** A task that failed or ran out of time. Holds nothing of its text and nothing of the error that it threw. */
export class OffloadFailure extends Error {
  override readonly name = 'OffloadFailure';
  readonly reason: OffloadReason;

  constructor(reason: OffloadReason) {
    super(reason);
    this.reason = reason;
  }
}
