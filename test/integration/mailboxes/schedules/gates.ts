/**
 * Holds workers at named points, until a schedule lets them pass. Everything that waits for the outside
 * goes through a gate, so that between two steps of a schedule nothing moves.
 */

export type Point =
  | 'store'
  | 'open'
  | 'take'
  | 'load'
  | 'extract'
  | 'commit'
  | 'complete'
  | 'refresh'
  | 'linger'
  | 'close'
  /** A look for anchors after the close: the last look. */
  | 'look'
  | 'release'
  | 'next_due'
  | 'ask'
  | 'ring';

/** What becomes of the call that waits: it happens, it fails before anything happened, or it happens twice. */
export type Passage = 'pass' | 'lose' | 'twice';

interface Gate {
  readonly point: Point;
  go(how: Passage): Promise<void>;
  refuse(): void;
}

/** What runs after an answer is in, up to the next gate, needs no more than this. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

export class Gates {
  #waiting: Gate[] = [];
  #closed = false;

  /** Where it stands; null when nothing waits. */
  get next(): Point | null {
    return this.#waiting[0]?.point ?? null;
  }

  async pass<T>(point: Point, call: () => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the worker is gone');
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({
      point,
      async go(how) {
        try {
          if (how === 'lose') throw new Error('lost on the way');
          const answer = await call();
          resolve(how === 'twice' ? await call() : answer);
        } catch (error) {
          reject(error);
        }
      },
      refuse: () => reject(new Error('the worker is gone')),
    });
    return promise;
  }

  /** Lets the oldest call pass and returns when its worker waits again or is done. */
  async step(how: Passage = 'pass'): Promise<void> {
    await this.#waiting.shift()?.go(how);
    await settled();
  }

  /** Ends every call that waits here, without any further effect. */
  close(): void {
    this.#closed = true;
    for (const gate of this.#waiting.splice(0)) gate.refuse();
  }
}
