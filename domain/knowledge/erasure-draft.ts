/** What becomes of statements when messages of a person are erased. */
import type { AttributeClaim } from './attributes.ts';
import { PlanDraft } from './plan-draft.ts';
import type { Statement } from './statement.ts';

/** Words that another source has for a statement. */
export interface OtherWords {
  readonly text: string;
  /** SHA-256 of the folded text, lower-case hex. */
  readonly statementHash: string;
  readonly claim: AttributeClaim | null;
  /** Of the source. */
  readonly occurredAt: string;
  /** Content hash of the source, lower-case hex. */
  readonly sourceHash: string;
}

/** What is left of a statement without the erased messages. */
export interface Loss {
  readonly id: string;
  /** `own`: its words are not those of an erased message. Null: nobody who is left has words for it. */
  readonly words: 'own' | OtherWords | null;
}

export class ErasureDraft extends PlanDraft {
  /**
   * A statement without words is over, and keeps its hash, state and counts. Another one takes the words of the source
   * that said it first. One that the gates placed, and that lacks now what its rule asks for, waits for a person.
   */
  lose({ id, words }: Loss): void {
    const statement = this.statements.get(id);
    if (statement === undefined || statement.state === 'retracted') return;
    const left = words === null ? null : inWords(statement, words);
    if (left === null || this.#isSaidTwice(statement, left)) this.#retract(statement);
    else if (!this.doubt(statement, left)) this.keep(statement, left);
  }

  /** Whether an open statement says the new words at the same place already: of two equal ones only one may stand. */
  #isSaidTwice(before: Statement, after: Statement): boolean {
    return before.statementHash !== after.statementHash && this.isTaken(after, after.scopeId);
  }

  #retract(statement: Statement): void {
    const { wording } = statement;
    const after: Statement = {
      ...statement,
      // The digest of the message goes too; that of the statement stays.
      wording: { ...wording, text: null, claim: null, sourceHash: statement.statementHash },
      paraphraseHashes: [],
      state: 'retracted',
      verification: 'sole_source_erased',
      heldScopeId: null,
      stateBeforeContest: null,
    };
    this.enter(after, statement.state, 'source_erased');
  }
}

function inWords(statement: Statement, words: 'own' | OtherWords): Statement {
  if (words === 'own') return statement;
  const { statementHash, text, claim, occurredAt, sourceHash } = words;
  const wording = { ...statement.wording, text, claim, occurredAt, sourceHash };
  return { ...statement, statementHash, wording, paraphraseHashes: [] };
}
