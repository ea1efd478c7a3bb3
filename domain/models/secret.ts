/**
 * A secret that cannot be printed by accident: string conversion, JSON and Node's inspector all show
 * the same mark. The value leaves through `reveal` alone, at the place that needs it.
 */

const REDACTED = '[redacted]';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself. Call it only where it is handed to a client library. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  /** Node's `util.inspect` protocol, looked up by its registered symbol so that the domain needs no import. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return REDACTED;
  }
}
