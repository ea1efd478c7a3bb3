/**
 * How many bytes of bodies a process holds, in all and for one account. The bytes of a request count from the first one
 * until its answer, so that neither many bodies at a time nor many unfinished ones fill the memory.
 */
import { Refusal } from '../domain/errors.ts';

/** For all requests under way together. A body is held once as bytes and about once more as a value. */
const MOST_BODY_BYTES = 192 * 1_048_576;
/** For the requests of one account; requests without a credential count as one more account. */
const MOST_BODY_BYTES_OF_ACCOUNT = 48 * 1_048_576;
const RETRY_AFTER_SECONDS = 2;

/** The bytes that one request holds. */
export interface HeldBytes {
  /** Throws `unavailable` when there is no room for so many more. */
  add(bytes: number): void;
  release(): void;
}

export class BodyRoom {
  readonly #mostBytes: number;
  readonly #mostOfAccount: number;
  readonly #byAccount = new Map<string | null, number>();
  #bytes = 0;

  constructor(mostBytes = MOST_BODY_BYTES, mostOfAccount = MOST_BODY_BYTES_OF_ACCOUNT) {
    this.#mostBytes = mostBytes;
    this.#mostOfAccount = mostOfAccount;
  }

  /** For the body of one request of the account; null for a request without a credential. */
  open(accountId: string | null): HeldBytes {
    let held = 0;
    return {
      add: (bytes) => {
        const ofAccount = (this.#byAccount.get(accountId) ?? 0) + bytes;
        if (this.#bytes + bytes > this.#mostBytes || ofAccount > this.#mostOfAccount) {
          throw new Refusal('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
        }
        held += bytes;
        this.#bytes += bytes;
        this.#byAccount.set(accountId, ofAccount);
      },
      release: () => {
        const left = (this.#byAccount.get(accountId) ?? 0) - held;
        this.#bytes -= held;
        held = 0;
        if (left > 0) this.#byAccount.set(accountId, left);
        else this.#byAccount.delete(accountId);
      },
    };
  }
}
