/** The lines of lists of promises, as the operation that repeats them takes them. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

export async function* promiseLines(lists: readonly string[]): AsyncGenerator<string> {
  for (const list of lists) yield* createInterface({ input: createReadStream(list) });
}
