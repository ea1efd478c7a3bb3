/** The statements of a plan in the making, found by id, by every text they were said in, and by subject. */
import type { Statement } from './statement.ts';

export class DraftStatements {
  readonly #byId = new Map<string, Statement>();
  readonly #idsByText = new Map<string, Set<string>>();
  readonly #idsBySubject = new Map<string, Set<string>>();

  constructor(statements: readonly Statement[]) {
    for (const statement of statements) this.set(statement);
  }

  get(id: string): Statement | undefined {
    return this.#byId.get(id);
  }

  /** Adds the statement, or puts it in the place of the one of its id. */
  set(statement: Statement): void {
    const { id, paraphraseHashes, statementHash, subject } = statement;
    this.#byId.set(id, statement);
    for (const hash of [statementHash, ...paraphraseHashes]) note(this.#idsByText, hash, id);
    note(this.#idsBySubject, subject.id, id);
  }

  /** In the order in which they were first set. */
  get all(): ReadonlyMap<string, Statement> {
    return this.#byId;
  }

  ofText(statementHash: string): readonly Statement[] {
    return this.#among(this.#idsByText.get(statementHash));
  }

  ofSubject(subjectId: string): readonly Statement[] {
    return this.#among(this.#idsBySubject.get(subjectId));
  }

  #among(ids: ReadonlySet<string> = new Set()): readonly Statement[] {
    return [...ids].flatMap((id) => this.#byId.get(id) ?? []);
  }
}

function note(index: Map<string, Set<string>>, key: string, id: string): void {
  const ids = index.get(key);
  if (ids === undefined) index.set(key, new Set([id]));
  else ids.add(id);
}
