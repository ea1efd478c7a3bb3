/** Taking a group apart until the member that it fails for stands alone. */

export interface Bisection<T> {
  /** Does the group at once. May be called again for parts of a group that failed, and must bear it. */
  work(items: readonly T[]): Promise<void>;
  /** Settles the member that fails by itself. What it throws ends everything. */
  alone(item: T, error: unknown): Promise<void>;
  /** Whether a failure is no member's, so that taking the group apart would not mend it. */
  endsAll(error: unknown): boolean;
  /** Told of each group that failed. */
  failed(items: readonly T[]): void;
}

/** Does the work for the members in their order, whatever fails of them. */
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
