/**
 * Measures whether an agent finds what it has just sent: each message is sent, awaited and searched for at once. A
 * message is found when the phrase returns its statement. It leaks when a search that excludes a word still returns a
 * statement with that word.
 */
import type { Client, IngestStatus } from './client.ts';
import type { Turn } from '../data/conversation-file.ts';
import { observationOf, waitUntilFinal, type Place } from './passes.ts';
import { containsWord, probeFor, type Probe } from './probe.ts';
import { percentiles, timed, type Durations } from './timing.ts';

export interface FreshOptions {
  readonly place: Place;
  /** How many messages are tried. */
  readonly count: number;
  readonly patienceMs: number;
}

export interface FreshResult {
  readonly tried: number;
  readonly found: number;
  /** Statements that their other words return while no word is excluded; only then can a leak be seen. */
  readonly foundByOthers: number;
  readonly leaked: number;
  /** Messages without a statement to look for; they do not count as tried. */
  readonly passedOver: number;
  readonly accept: Durations;
  readonly completed: Durations;
  readonly search: Durations;
}

interface Chosen {
  readonly probe: Probe;
  readonly statementId: string;
}

function choose(content: string, { knowledge }: IngestStatus): Chosen | null {
  for (const { id, statement } of knowledge) {
    const probe = statement === null ? null : probeFor(content, statement);
    if (probe !== null) return { probe, statementId: id };
  }
  return null;
}

class FreshRun {
  readonly counts = { tried: 0, found: 0, foundByOthers: 0, leaked: 0, passedOver: 0 };
  readonly times = { accept: [] as number[], completed: [] as number[], search: [] as number[] };
  readonly #client: Client;
  readonly #options: FreshOptions;

  constructor(client: Client, options: FreshOptions) {
    this.#client = client;
    this.#options = options;
  }

  async try(turn: Turn): Promise<void> {
    const { place, patienceMs } = this.#options;
    const sent = await timed(() => this.#client.ingest(observationOf(turn, place)));
    const done = await timed(() =>
      waitUntilFinal(this.#client, sent.value, performance.now() + patienceMs),
    );
    this.times.accept.push(sent.ms);
    this.times.completed.push(done.ms);
    const chosen = choose(turn.content, done.value);
    if (chosen === null) this.counts.passedOver += 1;
    else await this.#search(chosen);
  }

  async #search({ probe, statementId }: Chosen): Promise<void> {
    const { scopePath } = this.#options.place;
    const byPhrase = await timed(() => this.#client.search(probe.phrase, scopePath));
    this.times.search.push(byPhrase.ms);
    const byOthers = await this.#client.search(probe.others, scopePath);
    const excluding = await this.#client.search(probe.excluding, scopePath);
    const has = (candidates: readonly { id: string }[]): boolean =>
      candidates.some(({ id }) => id === statementId);
    this.counts.tried += 1;
    this.counts.found += Number(has(byPhrase.value));
    this.counts.foundByOthers += Number(has(byOthers));
    this.counts.leaked += Number(
      excluding.some(({ statement }) => containsWord(statement ?? '', probe.word)),
    );
  }
}

/** Tries turns in order until `count` of them gave a statement to look for, or none is left. */
export async function tryFreshMessages(
  client: Client,
  turns: readonly Turn[],
  options: FreshOptions,
): Promise<FreshResult> {
  const run = new FreshRun(client, options);
  for (const turn of turns) {
    if (run.counts.tried === options.count) break;
    await run.try(turn);
  }
  const { accept, completed, search } = run.times;
  return {
    ...run.counts,
    accept: percentiles(accept),
    completed: percentiles(completed),
    search: percentiles(search),
  };
}
