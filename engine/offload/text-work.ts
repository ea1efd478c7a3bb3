/**
 * Work on text without holding the event loop: a little text stays on it, with pauses; more goes to threads, in groups.
 * A group that ends its thread, or does not end in time, is halved and tried again, so a text at fault fails alone.
 */
import type { Candidate, ExtractionRequest } from '../../domain/statements/candidate.ts';
import type { Behalf } from '../behalf.ts';
import type { AnalysedVector, MessageAnalysis, MessageText } from '../analysis/message.ts';
import type { StatementText } from '../analysis/statement.ts';
import { createShortTasks } from '../slices.ts';
import { TASKS, textsOf, type CheckedText, type TaskName, type Tasks } from './tasks.ts';
import { OffloadFailure } from '../offload-failure.ts';
import type { Threads } from './threads.ts';

/** Most text that the event loop works on at a time. */
const LOOP_CHARS = 8_192;
/** Most text of one task, unless a single text is longer. */
const GROUP_CHARS = 131_072;

/** Every function throws `OffloadFailure`, or the signal's reason, unless it says otherwise. */
export interface TextWork {
  readonly maskSecrets: (texts: readonly string[], behalf?: Behalf) => Promise<readonly string[]>;
  readonly holdsSecret: (text: string, behalf?: Behalf) => Promise<boolean>;
  /** In the order of the messages; null for one that could not be analysed. */
  readonly analyseMessages: (
    messages: readonly MessageText[],
    behalf?: Behalf,
  ) => Promise<readonly (MessageAnalysis | null)[]>;
  /** In the order of the statements; null for one whose sources lend no words, or could not be analysed. */
  readonly readStatements: (
    statements: readonly StatementText[],
    behalf?: Behalf,
  ) => Promise<readonly (AnalysedVector | null)[]>;
  readonly embed: (
    texts: readonly string[],
    behalf?: Behalf,
  ) => Promise<readonly (readonly number[])[]>;
  readonly extract: (request: ExtractionRequest, behalf?: Behalf) => Promise<readonly Candidate[]>;
  /** Whether each text satisfies the operators of its query, in their order; null for one that could not be checked. */
  readonly accept: (
    texts: readonly CheckedText[],
    behalf?: Behalf,
  ) => Promise<readonly (boolean | null)[]>;
  /** The content terms of each text, in their order; null for one that could not be analysed. */
  readonly stems: (
    texts: readonly string[],
    behalf?: Behalf,
  ) => Promise<readonly (readonly string[] | null)[]>;
}

type ItemOf<Name extends TaskName> = Parameters<Tasks[Name]>[0][number];
type ResultOf<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>[number];

function lengthOfRequest({ anchor, window }: ExtractionRequest): number {
  return [anchor, ...window].reduce((sum, { content }) => sum + content.length, 0);
}

function lengthOf(
  item: string | MessageText | StatementText | CheckedText | ExtractionRequest,
): number {
  if (typeof item === 'string') return item.length;
  if ('surroundings' in item || 'statement' in item)
    return textsOf(item).reduce((sum, text) => sum + text.length, 0);
  return 'content' in item ? item.content.length : lengthOfRequest(item);
}

function lengthOfAll(items: readonly Parameters<typeof lengthOf>[0][]): number {
  return items.reduce((sum, item) => sum + lengthOf(item), 0);
}

/** Items in order, in groups of at most `most` code units; an item that is longer is a group of its own. */
function grouped<T extends Parameters<typeof lengthOf>[0]>(
  items: readonly T[],
  most: number,
): T[][] {
  const groups: T[][] = [];
  let room = 0;
  for (const item of items) {
    const length = lengthOf(item);
    const last = groups.at(-1);
    if (last === undefined || length > room) {
      groups.push([item]);
      room = most - length;
    } else {
      last.push(item);
      room -= length;
    }
  }
  return groups;
}

class Runner {
  readonly #threads: Threads | null;
  /** Hundreds of short texts at a time would hold the event loop like a long one, so they share its slices. */
  readonly #inTurn = createShortTasks();

  constructor(threads: Threads | null) {
    this.#threads = threads;
  }

  /** The result of the task for each item, or its failure. */
  async each<Name extends TaskName>(
    name: Name,
    items: readonly ItemOf<Name>[],
    behalf: Behalf,
  ): Promise<(ResultOf<Name> | OffloadFailure)[]> {
    if (this.#threads === null || lengthOfAll(items) <= LOOP_CHARS) {
      return this.#onTheLoop(name, items, behalf);
    }
    const results: (ResultOf<Name> | OffloadFailure)[] = [];
    for (const group of grouped(items, GROUP_CHARS)) {
      results.push(...(await this.#inThread(this.#threads, name, group, behalf)));
    }
    return results;
  }

  /** As `each`; throws the first failure. */
  async all<Name extends TaskName>(
    name: Name,
    items: readonly ItemOf<Name>[],
    behalf: Behalf,
  ): Promise<ResultOf<Name>[]> {
    return (await this.each(name, items, behalf)).map((result) => {
      if (result instanceof OffloadFailure) throw result;
      return result;
    });
  }

  async #onTheLoop<Name extends TaskName>(
    name: Name,
    items: readonly ItemOf<Name>[],
    behalf: Behalf,
  ): Promise<(ResultOf<Name> | OffloadFailure)[]> {
    const task = TASKS[name] as (items: readonly unknown[]) => Promise<ResultOf<Name>[]>;
    const results: ResultOf<Name>[] = [];
    for (const group of grouped(items, LOOP_CHARS)) {
      results.push(
        ...(await this.#inTurn(async () => {
          behalf.signal.throwIfAborted();
          return task(group);
        })),
      );
    }
    return results;
  }

  async #inThread<Name extends TaskName>(
    threads: Threads,
    name: Name,
    group: readonly ItemOf<Name>[],
    behalf: Behalf,
  ): Promise<(ResultOf<Name> | OffloadFailure)[]> {
    try {
      const items = group as Parameters<Tasks[Name]>[0];
      return [...(await threads.run(name, items, lengthOfAll(group), behalf))] as ResultOf<Name>[];
    } catch (error) {
      if (!(error instanceof OffloadFailure)) throw error;
      if (group.length === 1) return [error];
      const half = Math.ceil(group.length / 2);
      return [
        ...(await this.#inThread(threads, name, group.slice(0, half), behalf)),
        ...(await this.#inThread(threads, name, group.slice(half), behalf)),
      ];
    }
  }
}

function first<T>([item]: readonly T[]): T {
  if (item === undefined) throw new TypeError('every item has a result');
  return item;
}

const NOBODY: Behalf = { accountId: '', signal: new AbortController().signal };

/** The work of a process on its threads; null keeps all of it on the event loop. */
export function createTextWork(threads: Threads | null): TextWork {
  const runner = new Runner(threads);
  return {
    maskSecrets: (texts, behalf = NOBODY) => runner.all('maskSecrets', texts, behalf),
    holdsSecret: async (text, behalf = NOBODY) =>
      first(await runner.all('holdsSecret', [text], behalf)),
    analyseMessages: async (messages, behalf = NOBODY) =>
      (await runner.each('analyseMessages', messages, behalf)).map((analysis) =>
        analysis instanceof OffloadFailure ? null : analysis,
      ),
    readStatements: async (statements, behalf = NOBODY) =>
      (await runner.each('readStatements', statements, behalf)).map((vector) =>
        vector instanceof OffloadFailure ? null : vector,
      ),
    embed: (texts, behalf = NOBODY) => runner.all('embed', texts, behalf),
    extract: async (request, behalf = NOBODY) =>
      first(await runner.all('extract', [request], behalf)),
    accept: async (texts, behalf = NOBODY) =>
      (await runner.each('accept', texts, behalf)).map((accepted) =>
        accepted instanceof OffloadFailure ? null : accepted,
      ),
    stems: async (texts, behalf = NOBODY) =>
      (await runner.each('stems', texts, behalf)).map((stems) =>
        stems instanceof OffloadFailure ? null : stems,
      ),
  };
}

/** For tools and tests, where no other work waits for the event loop. */
export const ON_THE_LOOP: TextWork = createTextWork(null);
