/** Halves a failing group until the member that causes the failure stands alone. */

export interface Bisection<T> {
  /** Does the group at once. Must be safe to repeat: it is called again for parts of a group that failed. */
  work(items: readonly T[]): Promise<void>;
  /** Settles a member that fails alone. An error that it throws ends the whole bisection. */
  alone(item: T, error: unknown): Promise<void>;
  /** Whether no member caused the failure, so that halving the group would not help. */
  endsAll(error: unknown): boolean;
  /** Told of each group that failed. */
  failed(items: readonly T[]): void;
}

/** Does the work for the members in their order; a member that fails does not stop the others. */
export async function bisect<T>(items: readonly T[], by: Bisection<T>): Promise<void> {
  const [only, ...others] = items;
  if (only === undefined) return;
  try {
    await by.work(items);
  } catch (error) {
    if (by.endsAll(error)) throw error;
    by.failed(items);
    if (others.length === 0) {
      await by.alone(only, error);
      return;
    }
    const half = Math.ceil(items.length / 2);
    await bisect(items.slice(0, half), by);
    await bisect(items.slice(half), by);
  }
}
