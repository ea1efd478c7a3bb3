/**
 * Group commit for small calls: calls that arrive while a round trip of the same account is under way share the
 * next one, so that a hundred concurrent callers cost a few transactions instead of a hundred.
 */

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

const MAX_ITEMS = 500;

/**
 * Turns `run`, which works through the items of one account and answers each in their order, into a call for
 * one item. When a trip fails, every caller of it gets the error.
 */
export function inOneTrip<Item, Answer>(
  run: (accountId: string, items: readonly Item[]) => Promise<readonly Answer[]>,
): (accountId: string, item: Item) => Promise<Answer> {
  const queues = new Map<string, Waiting<Item, Answer>[]>();

  const work = async (accountId: string, queue: Waiting<Item, Answer>[]): Promise<void> => {
    while (queue.length > 0) {
      const trip = queue.splice(0, MAX_ITEMS);
      try {
        const items = trip.map(({ item }) => item);
        const answers = await run(accountId, items);
        if (answers.length !== items.length) throw new TypeError('a trip must answer every item');
        for (const [index, answer] of answers.entries()) trip[index]?.resolve(answer);
      } catch (error) {
        for (const { reject } of trip) reject(error);
      }
    }
    queues.delete(accountId);
  };

  return (accountId, item) =>
    new Promise<Answer>((resolve, reject) => {
      const queue = queues.get(accountId);
      if (queue !== undefined) {
        queue.push({ item, resolve, reject });
        return;
      }
      const first = [{ item, resolve, reject }];
      queues.set(accountId, first);
      // Callers of the same turn of the event loop share the first trip.
      setImmediate(() => void work(accountId, first));
    });
}
