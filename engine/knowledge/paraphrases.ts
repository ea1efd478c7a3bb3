/**
 * Finds for the texts of a commit their vectors, and the statements that may say the same in other words. The index
 * is asked before the transaction begins. Statements that it cannot show yet are read under the locks; when their
 * vectors are missing (another process wrote them), the commit begins again with the vectors.
 */
import { ModelFailure } from '../../domain/error-class.ts';
import { cosineOf, directionOf, type Direction } from '../../domain/ranking/cosine.ts';
import { paraphrased, type ParaphraseRule } from '../../domain/statements/paraphrase.ts';
import {
  comparableRefused,
  repeatsByLikeness,
  type RefusalRule,
} from '../../domain/knowledge/refusal.ts';
import type { Proposal } from '../../domain/statements/statement.ts';
import { IndexFailure } from '../../domain/retrieval/index-failure.ts';
import { within } from '../async.ts';
import type { RememberingEmbedder } from '../models/embedding-memo.ts';
import { callAside } from '../models/extraction.ts';
import type { ComparedStatement } from '../../stores/postgres/knowledge/compared.ts';
import type { PointReader } from '../../stores/qdrant/point-reader.ts';
import { createIndexGate } from '../indexes/index-gate.ts';
import { createLookUpGate } from './look-up-gate.ts';
import { textHash } from '../analysis/message.ts';

type Vector = readonly number[];

export interface ParaphraseDeps {
  /** The least cosine at which two texts say the same. */
  readonly threshold: number;
  readonly embedder: RememberingEmbedder;
  readonly points: Pick<PointReader, 'alikeStatements' | 'keptVectors' | 'probe'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** How long a commit waits for embedder and index each, in milliseconds; otherwise the limits below. */
  readonly patienceMs?: number | undefined;
  /** Told of failures that the commit survived, by code and count; never of content. */
  readonly report: (event: string, fields: Readonly<Record<string, string | number>>) => void;
}

/** Vectors are needed that are not known yet. The error does not say which, because an error may be written down. */
export class UnknownVectors extends Error {
  override readonly name = 'UnknownVectors';

  constructor() {
    super('statements without a vector were recorded meanwhile');
  }
}

export interface Neighbourhood {
  readonly rule: ParaphraseRule;
  /** The rule by which a text of the commit says again what was refused. */
  readonly refusals: RefusalRule;
  /** Statements that the index found near. */
  readonly ids: readonly string[];
  /**
   * The ids of the open ones that are near a text of the commit. Throws `UnknownVectors` for a text without a known
   * vector, also for what the commit may say again though it was refused.
   */
  alikeAmong(statements: readonly ComparedStatement[]): readonly string[];
  /** Fetches or makes the vectors that were unknown; a text that has none then is like no other. */
  learn(): Promise<void>;
  /** Other commits add statements of the same subjects faster than vectors arrive: this commit goes on without them. */
  giveUp(): void;
}

export interface ParaphraseFinder {
  /** Null when embedder or index did not answer in time: then only the same words merge. */
  around(
    accountId: string,
    proposals: readonly Proposal[],
    signal: AbortSignal,
  ): Promise<Neighbourhood | null>;
}

/** The longest wait of a commit for the embedder. Its vectors are needed again when the statements are indexed. */
const EMBEDDER_PATIENCE_MS = 1_000;
/** The longest wait of a commit for the index. */
const INDEX_PATIENCE_MS = 500;
/** The most texts that one commit asks about; its other texts merge with the same words only. */
const MOST_QUESTIONS = 128;

/** The most refused texts whose vectors one commit makes, the newest; it judges the others by their words. */
const MOST_REFUSED_EMBEDDED = 128;

/** Builds the finder of a process. */
export function createParaphraseFinder(deps: ParaphraseDeps): ParaphraseFinder {
  const { now, points } = deps;
  const gate = createIndexGate({ probe: (signal) => points.probe(signal), now });
  const accounts = createLookUpGate(now);
  return {
    async around(accountId, proposals, signal) {
      if (!gate.isOpen() || !accounts.mayAsk(accountId)) return null;
      let wasSlow = false;
      const near = new Vicinity(deps, accountId, signal, (reason) => {
        if (reason === 'away') gate.close();
        else wasSlow = true;
      });
      try {
        const isKnown = await near.attempt(() => near.explore(proposals), proposals.length);
        return isKnown ? near : null;
      } finally {
        if (wasSlow) accounts.failed(accountId);
        else accounts.answered(accountId);
      }
    },
  };
}

class Vicinity implements Neighbourhood {
  readonly rule: ParaphraseRule;
  readonly refusals: RefusalRule;
  readonly ids: string[] = [];
  readonly #deps: ParaphraseDeps;
  readonly #accountId: string;
  readonly #signal: AbortSignal;
  readonly #onFailure: (reason: string) => void;
  readonly #proposed = new Set<string>();
  #proposals: readonly Proposal[] = [];
  #unknown: readonly ComparedStatement[] = [];
  readonly #directions = new Map<string, Direction | null>();
  readonly #vectorsByHash = new Map<string, Vector>();

  constructor(
    deps: ParaphraseDeps,
    accountId: string,
    signal: AbortSignal,
    onFailure: (reason: string) => void,
  ) {
    this.#deps = deps;
    this.#onFailure = onFailure;
    this.#accountId = accountId;
    this.#signal = signal;
    this.rule = {
      threshold: deps.threshold,
      likeness: (a, b) => this.#likeness(a, b),
      covers: (text) => this.#proposed.has(text),
    };
    this.refusals = repeatsByLikeness(this.rule.likeness, deps.threshold);
  }

  async explore(proposals: readonly Proposal[]): Promise<void> {
    const texts = new Set(proposals.flatMap(({ wording }) => wording.text ?? []));
    for (const text of [...texts].slice(0, MOST_QUESTIONS)) this.#proposed.add(text);
    this.#proposals = proposals.filter(({ wording }) => this.rule.covers(wording.text ?? ''));
    await this.#embed([...this.#proposed]);
    const asked = new Map(proposals.flatMap((proposal) => this.#queryOf(proposal)));
    const queries = [...asked.values()].slice(0, MOST_QUESTIONS);
    const { points, threshold } = this.#deps;
    const answers = await this.#ofIndex(
      points.alikeStatements(this.#accountId, queries, threshold),
    );
    for (const { sourceId, textHash: hash, vector } of answers.flat()) {
      this.ids.push(sourceId);
      this.#vectorsByHash.set(hash, vector);
    }
  }

  alikeAmong(statements: readonly ComparedStatement[]): readonly string[] {
    const open = statements.filter((statement) => !statement.refused);
    const refused = statements.filter((statement) => statement.refused);
    const mayRepeat = comparableRefused(this.#proposals, refused, MOST_REFUSED_EMBEDDED);
    const compared = [...open, ...refused.filter(({ id }) => mayRepeat.has(id))];
    this.#unknown = compared.filter(({ text }) => this.#directionOf(text) === undefined);
    if (this.#unknown.length > 0) throw new UnknownVectors();
    // The other refused texts are judged by their words; nobody looks for their vectors once for each proposal.
    for (const { text } of refused) {
      if (this.#directionOf(text) === undefined) this.#directions.set(text, null);
    }
    const saidOf = this.#textsBySubject();
    return open
      .filter(({ subjectId, text }) =>
        saidOf.get(subjectId)?.some((said) => paraphrased(this.rule, said, text) !== null),
      )
      .map(({ id }) => id);
  }

  async learn(): Promise<void> {
    const statements = this.#unknown;
    await this.attempt(async () => {
      const ids = statements.map(({ id }) => id);
      const kept = await this.#ofIndex(this.#deps.points.keptVectors(this.#accountId, ids));
      for (const { textHash: hash, vector } of kept.values()) this.#vectorsByHash.set(hash, vector);
      const texts = statements.map(({ text }) => text);
      await this.#embed(texts.filter((text) => this.#directionOf(text) === undefined));
    }, statements.length);
    for (const { text } of statements) {
      if (this.#directionOf(text) === undefined) this.#directions.set(text, null);
    }
  }

  giveUp(): void {
    const fields = { units: this.#proposed.size, reason: 'contended' };
    this.#deps.report('extraction.paraphrases_unknown', fields);
  }

  /** False when embedder or index failed, which is reported. Cancellation is thrown. */
  async attempt(work: () => Promise<void>, statements: number): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.#signal.throwIfAborted();
      const reason = reasonOf(error);
      if (reason === null) throw error;
      const isOfProvider = error instanceof ModelFailure && reason !== 'request_timeout';
      // A provider that fails has a circuit of its own.
      if (!isOfProvider) this.#onFailure(reason);
      this.#deps.report('extraction.paraphrases_unknown', { units: statements, reason });
      return false;
    }
  }

  /** The proposed texts about each subject, each once: many may say the same. */
  #textsBySubject(): ReadonlyMap<string, readonly string[]> {
    const bySubject = Map.groupBy(this.#proposals, ({ subject }) => subject.id);
    return new Map(
      Array.from(bySubject, ([id, said]) => [
        id,
        [...new Set(said.flatMap(({ wording }) => wording.text ?? []))],
      ]),
    );
  }

  #queryOf({ subject, wording }: Proposal) {
    const direction = wording.text === null ? null : this.#directionOf(wording.text);
    if (direction === null || direction === undefined) return [];
    const subjectPeerId = subject.type === 'peer' ? subject.id : null;
    const query = { vector: [...direction], subjectPeerId, kind: wording.kind };
    return [[`${subjectPeerId}|${wording.kind}|${wording.text}`, query] as const];
  }

  #ofIndex<T>(answer: Promise<T>): Promise<T> {
    // An index without an answer in time counts as slow, not as away.
    return within(this.#deps.patienceMs ?? INDEX_PATIENCE_MS, answer, () => {
      throw new IndexFailure('qdrant', 'timeout');
    });
  }

  async #embed(texts: readonly string[]): Promise<void> {
    if (texts.length === 0) return;
    const patienceMs = this.#deps.patienceMs ?? EMBEDDER_PATIENCE_MS;
    const signal = AbortSignal.any([this.#signal, AbortSignal.timeout(patienceMs)]);
    const call = callAside({ accountId: this.#accountId, traceId: null, signal });
    const { vectors } = await this.#deps.embedder.embed(texts, call);
    for (const [index, text] of texts.entries()) this.#keep(text, vectors[index] ?? []);
  }

  /** Null for a text that has no direction, undefined for one whose vector is not known. */
  #directionOf(text: string): Direction | null | undefined {
    const known = this.#directions.get(text);
    if (known !== undefined) return known;
    const found =
      this.#vectorsByHash.get(textHash(text)) ?? this.#deps.embedder.recall(this.#accountId, text);
    return found === undefined ? undefined : this.#keep(text, found);
  }

  #keep(text: string, vector: Vector): Direction | null {
    const direction = directionOf(vector);
    this.#directions.set(text, direction);
    return direction;
  }

  #likeness(a: string, b: string): number | null {
    const [inA, inB] = [this.#directionOf(a), this.#directionOf(b)];
    return inA === undefined || inA === null || inB === undefined || inB === null
      ? null
      : cosineOf(inA, inB);
  }
}

/** The code of a failure of the embedder or the index; null for any other error. */
function reasonOf(error: unknown): string | null {
  if (error instanceof ModelFailure) return error.errorClass;
  if (error instanceof IndexFailure) return error.reason;
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  return isTimeout ? 'request_timeout' : null;
}
