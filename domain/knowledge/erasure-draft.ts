/** The effect of erasing a person's messages on statements. */
import type { AttributeClaim } from '../statements/attributes.ts';
import { PlanDraft } from './plan-draft.ts';
import type { Statement } from '../statements/statement.ts';

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

/** The rest of a statement without the erased messages. */
export interface Loss {
  readonly id: string;
  /** `own`: its text does not come from an erased message. Null: no remaining source has a text for it. */
  readonly words: 'own' | OtherWords | null;
}

export class ErasureDraft extends PlanDraft {
  /**
   * A statement without a text ends, and keeps its hash, state and counts. Any other takes the text of its earliest
   * source. If the gates placed it and it no longer meets its rule, it waits for a person.
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
