/** Reading what a person wrote as JSON, with every fault and its place. */

export interface CardFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** A JSON object as it was written. */
export type WrittenObject = Readonly<Record<string, unknown>>;

export function isWritten(value: unknown): value is WrittenObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** NUL and lone surrogates cannot be stored as they were sent. */
const UNSTORABLE = /\0|\p{Cs}/u;

/** A place in what was written, and the faults of the whole. */
export class CardReading {
  readonly faults: CardFault[];
  readonly #path: readonly (string | number)[];
  /** Whether a topic has a word that statements are looked for by. */
  readonly saysSomething: (topic: string) => boolean;

  constructor(
    saysSomething: (topic: string) => boolean,
    faults: CardFault[] = [],
    path: readonly (string | number)[] = [],
  ) {
    this.saysSomething = saysSomething;
    this.faults = faults;
    this.#path = path;
  }

  at(step: string | number): CardReading {
    return new CardReading(this.saysSomething, this.faults, [...this.#path, step]);
  }

  fault(message: string): void {
    this.faults.push({ path: this.#path, message });
  }

  /** Refuses members that nobody reads: a slip of the pen would otherwise ask nothing. */
  only(value: WrittenObject, members: readonly string[]): void {
    if (Object.keys(value).some((name) => !members.includes(name))) {
      this.fault(`must have no members but ${members.join(', ')}`);
    }
  }
}

/** One of the words; `unless` and a fault for anything else. */
export function oneOf<T extends string>(
  value: unknown,
  words: readonly T[],
  reading: CardReading,
  unless: T,
): T {
  const word = words.find((one) => one === value);
  if (word === undefined) reading.fault(`must be one of ${words.join(', ')}`);
  return word ?? unless;
}

/** A text without the space around it, in NFC; null when absent or blank. */
export function readText(value: unknown, mostChars: number, reading: CardReading): string | null {
  if (value === null || value === undefined) return null;
  // Measured before anything walks over it; normalising makes a text at most three times as long, and rarely longer.
  if (typeof value !== 'string' || value.length > 2 * mostChars) {
    reading.fault(`must be a text of at most ${mostChars} characters`);
    return null;
  }
  if (UNSTORABLE.test(value)) {
    reading.fault('must have no NUL characters and no lone surrogates');
    return null;
  }
  const text = value.normalize('NFC').trim();
  if (Array.from(text).length > mostChars) {
    reading.fault(`must be a text of at most ${mostChars} characters`);
  }
  return text === '' ? null : text;
}
