/**
 * The statements of a plan under construction. They are indexed for each look-up, so that a proposal costs the same
 * however many statements its subject has: by id; by text, subject and window; the open ones also by scope; by topic;
 * the refused ones by subject.
 */
import { containsAudience } from '../audiences/principals.ts';
import { isOpen, standingOf, type Statement, type Wording } from '../statements/statement.ts';

/** A text about a subject, for a window and an audience. */
export type Said = Pick<Statement, 'audience' | 'statementHash' | 'subject' | 'wording'>;

/** Statement ids by keys; within a key in the order of their entry. */
class StatementIndex {
  readonly #keysOf: (statement: Statement) => readonly string[];
  readonly #idsByKey = new Map<string, Set<string>>();

  constructor(keysOf: (statement: Statement) => readonly string[]) {
    this.#keysOf = keysOf;
  }

  replace(before: Statement | undefined, after: Statement): void {
    const keys = this.#keysOf(after);
    for (const key of before === undefined ? [] : this.#keysOf(before)) {
      if (!keys.includes(key)) this.#idsByKey.get(key)?.delete(after.id);
    }
    for (const key of keys) {
      const ids = this.#idsByKey.get(key);
      if (ids === undefined) this.#idsByKey.set(key, new Set([after.id]));
      else ids.add(after.id);
    }
  }

  ids(key: string): Iterable<string> {
    return this.#idsByKey.get(key) ?? [];
  }
}

const windowKey = ({ relevantFrom, relevantUntil }: Wording): string =>
  `${relevantFrom?.at ?? ''}|${relevantUntil?.at ?? ''}`;

const subjectKey = ({ subject }: Pick<Said, 'subject'>): string => `${subject.type}|${subject.id}`;

const textKey = (hash: string, { subject }: Said): string =>
  `${hash}|${subject.type}|${subject.id}`;

const audienceKey = ({ audience }: Pick<Said, 'audience'>): string => audience?.id ?? '';

const saidKey = (hash: string, said: Said): string =>
  `${textKey(hash, said)}|${windowKey(said.wording)}|${audienceKey(said)}`;

const textsOf = ({ statementHash, paraphraseHashes }: Statement): readonly string[] =>
  paraphraseHashes.includes(statementHash)
    ? paraphraseHashes
    : [statementHash, ...paraphraseHashes];

const placeKey = (said: Said, scopeId: string): string =>
  `${scopeId}|${saidKey(said.statementHash, said)}`;

const topicKey = (said: Said): string =>
  `${subjectKey(said)}|${said.wording.kind}|${windowKey(said.wording)}|${audienceKey(said)}`;

/** Whether everybody whom it is said to could know of the refusal. */
const binds =
  ({ audience }: Pick<Said, 'audience'>) =>
  (refused: Statement): boolean =>
    containsAudience(refused.audience, audience);

export class DraftStatements {
  readonly #byId = new Map<string, Statement>();
  readonly #said = new StatementIndex((each) => textsOf(each).map((hash) => saidKey(hash, each)));
  readonly #refused = new StatementIndex((each) =>
    standingOf(each.state) === 'refused' ? textsOf(each).map((hash) => textKey(hash, each)) : [],
  );
  readonly #refusedAbout = new StatementIndex((each) =>
    standingOf(each.state) === 'refused' && each.wording.text !== null ? [subjectKey(each)] : [],
  );
  readonly #standing = new StatementIndex((each) =>
    isOpen(each) || (each.state === 'contested' && !each.previouslyRefused)
      ? [placeKey(each, each.scopeId)]
      : [],
  );
  readonly #topics = new StatementIndex((each) =>
    isOpen(each) && each.wording.text !== null ? [topicKey(each)] : [],
  );

  constructor(statements: readonly Statement[]) {
    for (const statement of statements) this.set(statement);
  }

  get(id: string): Statement | undefined {
    return this.#byId.get(id);
  }

  /** Adds the statement, or puts it in the place of the one of its id. */
  set(statement: Statement): void {
    const before = this.#byId.get(statement.id);
    this.#byId.set(statement.id, statement);
    const indexes = [this.#said, this.#refused, this.#refusedAbout, this.#standing, this.#topics];
    for (const index of indexes) {
      index.replace(before, statement);
    }
  }

  /** In the order in which they were first set. */
  get all(): ReadonlyMap<string, Statement> {
    return this.#byId;
  }

  /**
   * Statements with the subject, window, audience and text of `said` (own or merged into them), in any scope and state.
   */
  saying(said: Said): readonly Statement[] {
    return this.#among(this.#said.ids(saidKey(said.statementHash, said)));
  }

  /**
   * Refused statements with the text and subject of `said`, whatever their window. What was refused to some readers binds
   * what is said to them and not what is said to others, who may not know of it.
   */
  refused(said: Said): readonly Statement[] {
    return this.#among(this.#refused.ids(textKey(said.statementHash, said))).filter(binds(said));
  }

  /** Refused statements about the subject of `said` that bind it, in whatever words. */
  refusedAbout(said: Pick<Said, 'audience' | 'subject'>): readonly Statement[] {
    return this.#among(this.#refusedAbout.ids(subjectKey(said))).filter(binds(said));
  }

  /**
   * Whether another statement at the scope, outside of these, says the same about the same window: an open one, or a
   * contested one, which may become open again. A text that was refused before may stand beside a contested one,
   * because people decide about both.
   */
  isTaken(
    said: Said & Partial<Pick<Statement, 'previouslyRefused'>>,
    scopeId: string,
    ...except: readonly (string | null)[]
  ): boolean {
    return this.#among(this.#standing.ids(placeKey(said, scopeId))).some(
      (other) => !except.includes(other.id) && (isOpen(other) || said.previouslyRefused !== true),
    );
  }

  /** Open statements with the subject, kind and window of `said`, which may say the same in other words. */
  onTopicOf(said: Said): readonly Statement[] {
    return this.#among(this.#topics.ids(topicKey(said)));
  }

  #among(ids: Iterable<string>): readonly Statement[] {
    return Array.from(ids).flatMap((id) => this.#byId.get(id) ?? []);
  }
}
