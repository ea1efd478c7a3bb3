/**
 * Group commit: what callers of one account bring at about the same time is written in one transaction. Who comes alone
 * does not wait. Who comes while a group is under way waits until that one has ended, but not longer than `waitMs`.
 */
export interface GroupCommitOptions<Item, Answer> {
  /**
   * Writes the items of one account in one transaction, all of them or none, and answers each in its place. Waits for a lock
   * for `lockWaitMs`; null: as long as it takes.
   */
  run(
    accountId: string,
    items: readonly Item[],
    lockWaitMs: number | null,
  ): Promise<readonly Answer[]>;
  bytesOf(item: Item): number;
  /** Whether it failed because of an item, so that it is tried without that one. Else nothing is tried again. */
  isOfItem(error: unknown): boolean;
  /** Whether it failed because a lock was not free in time. */
  isHeld(error: unknown): boolean;
  /** Runs `work` when it is the account's turn. */
  inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  readonly mostItems: number;
  readonly mostBytes: number;
  readonly waitMs: number;
  readonly lockWaitMs: number;
}

/** How long a call waits for others while a group is under way, in milliseconds. */
const LONGEST_WAIT_FOR_OTHERS_MS = 100;

/** For groups that take no locks which others hold for long. */
export const WITHOUT_LOCKS = {
  isHeld: () => false,
  lockWaitMs: 0,
  waitMs: LONGEST_WAIT_FOR_OTHERS_MS,
} as const;

export type Settled<Answer> = PromiseSettledResult<Answer>;

/** What one call brings. It stays together. */
interface Share<Item, Answer> {
  readonly items: readonly Item[];
  readonly bytes: number;
  readonly resolve: (answers: readonly Settled<Answer>[]) => void;
}

/** An item that waits for a lock of another transaction, and so for its end. */
const HELD = Symbol('held');
type Tried<Answer> = Settled<Answer> | typeof HELD;

async function write<Item, Answer>(
  items: readonly Item[],
  accountId: string,
  { run }: Pick<GroupCommitOptions<Item, Answer>, 'run'>,
  lockWaitMs: number | null,
): Promise<readonly Settled<Answer>[]> {
  const answers = await run(accountId, items, lockWaitMs);
  if (answers.length !== items.length) throw new TypeError('a group must answer every item');
  return answers.map((value) => ({ status: 'fulfilled', value }));
}

/** Writes all, or those that can be written, halving what failed: a bad item costs the others a few calls more. */
async function tryAll<Item, Answer>(
  items: readonly Item[],
  accountId: string,
  options: GroupCommitOptions<Item, Answer>,
): Promise<readonly Tried<Answer>[]> {
  try {
    return await write(items, accountId, options, options.lockWaitMs);
  } catch (reason) {
    if (items.length === 1 && options.isHeld(reason)) return [HELD];
    if (items.length === 1 || !options.isOfItem(reason)) {
      return items.map(() => ({ status: 'rejected', reason }));
    }
    const half = Math.ceil(items.length / 2);
    const first = await tryAll(items.slice(0, half), accountId, options);
    return [...first, ...(await tryAll(items.slice(half), accountId, options))];
  }
}

/** The groups of one account. */
class AccountGroups<Item, Answer> {
  readonly #accountId: string;
  readonly #options: GroupCommitOptions<Item, Answer>;
  readonly #waiting: Share<Item, Answer>[] = [];
  #waitingItems = 0;
  #waitingBytes = 0;
  /** Groups that were called for and have no turn yet. Each takes what waits when its turn comes. */
  #called = 0;
  #underWay = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(accountId: string, options: GroupCommitOptions<Item, Answer>) {
    this.#accountId = accountId;
    this.#options = options;
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0 && this.#called === 0 && this.#underWay === 0;
  }

  add(share: Share<Item, Answer>): void {
    this.#waiting.push(share);
    this.#waitingItems += share.items.length;
    this.#waitingBytes += share.bytes;
    this.#callGroups();
  }

  /** Calls for the groups that are full, and for one that need not wait for more. */
  #callGroups(): void {
    const { mostBytes, mostItems, waitMs } = this.#options;
    const full = Math.floor(
      Math.max(this.#waitingItems / mostItems, this.#waitingBytes / mostBytes),
    );
    while (this.#called < full) this.#call();
    if (this.#waiting.length === 0 || this.#called > 0) return;
    if (this.#underWay === 0) this.#call();
    else if (this.#timer === null) {
      this.#timer = setTimeout(() => this.#waitedLongEnough(), waitMs);
    }
  }

  #waitedLongEnough(): void {
    this.#timer = null;
    if (this.#waiting.length > 0 && this.#called === 0) this.#call();
  }

  #call(): void {
    this.#called += 1;
    // Callers of the same turn of the event loop share a group.
    setImmediate(() => void this.#options.inTurn(this.#accountId, () => this.#work()));
  }

  async #work(): Promise<void> {
    this.#called -= 1;
    const shares = this.#take();
    if (shares.length === 0) return;
    this.#underWay += 1;
    this.#callGroups();
    const items = shares.flatMap((share) => share.items);
    const tried = await tryAll(items, this.#accountId, this.#options);
    this.#underWay -= 1;
    let place = 0;
    for (const share of shares) {
      void this.#answer(share, tried.slice(place, place + share.items.length));
      place += share.items.length;
    }
    this.#callGroups();
  }

  /** Answers the share once all its items are written or refused. Who waits for a lock holds up no other share. */
  async #answer(
    { items, resolve }: Share<Item, Answer>,
    tried: readonly Tried<Answer>[],
  ): Promise<void> {
    resolve(
      await Promise.all(
        items.map(async (item, index) => {
          const one = tried[index];
          return one === undefined || one === HELD ? this.#alone(item) : one;
        }),
      ),
    );
  }

  async #alone(item: Item): Promise<Settled<Answer>> {
    const [written] = await Promise.allSettled([
      this.#options.inTurn(this.#accountId, () =>
        write([item], this.#accountId, this.#options, null),
      ),
    ]);
    const [settled] = written.status === 'fulfilled' ? written.value : [written];
    if (settled === undefined) throw new TypeError('one item has one answer');
    return settled;
  }

  /** What has waited longest, up to a full group. */
  #take(): readonly Share<Item, Answer>[] {
    const { mostBytes, mostItems } = this.#options;
    let items = 0;
    let bytes = 0;
    const end = this.#waiting.findIndex((share, index) => {
      items += share.items.length;
      bytes += share.bytes;
      return index > 0 && (items > mostItems || bytes > mostBytes);
    });
    const shares = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    for (const share of shares) {
      this.#waitingItems -= share.items.length;
      this.#waitingBytes -= share.bytes;
    }
    return shares;
  }
}

/**
 * Turns `run` into a call for a few items of one account, at most a group of them, which stay in their order. It never
 * rejects: each item has its own answer or error.
 */
export function createGroupCommit<Item, Answer>(
  options: GroupCommitOptions<Item, Answer>,
): (accountId: string, items: readonly Item[]) => Promise<readonly Settled<Answer>[]> {
  const accounts = new Map<string, AccountGroups<Item, Answer>>();
  return async (accountId, items) => {
    const groups = accounts.get(accountId) ?? new AccountGroups(accountId, options);
    accounts.set(accountId, groups);
    const bytes = items.reduce((sum, item) => sum + options.bytesOf(item), 0);
    try {
      return await new Promise<readonly Settled<Answer>[]>((resolve) =>
        groups.add({ items, bytes, resolve }),
      );
    } finally {
      if (groups.isIdle) accounts.delete(accountId);
    }
  };
}
