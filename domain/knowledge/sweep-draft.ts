/** The plan of changes by the clock: statements and items with due work. */
import { ageOf, dueState, type AgeingItem } from '../governance/sweeps.ts';
import { owedQuestion } from './owed.ts';
import { changedConfidence, LOST_CONFIDENCE, type AskedKind } from '../questions/words.ts';
import { DeskDraft } from './desk-draft.ts';
import type { OpenItem } from './ruling.ts';
import type { Statement } from '../statements/statement.ts';

export type SweptItem = OpenItem & AgeingItem;

/** An open question whose deadline may have passed. */
export interface SweptQuestion {
  readonly id: string;
  readonly kind: AskedKind;
  readonly deadlineAt: string;
}

/** A statement that something is due for. */
export interface DueStatement {
  readonly id: string;
  /** Since when it is believed no more, should its time be over: ISO 8601 UTC, as exact as the database keeps it. */
  readonly overSince: string | null;
  /** Its open items that may be overdue. */
  readonly items: readonly SweptItem[];
  /** Its open questions that may be. */
  readonly questions: readonly SweptQuestion[];
}

export class SweepDraft extends DeskDraft {
  /** Items that administrators are asked about too. */
  readonly escalated: string[] = [];
  /** Items that the clock does nothing more about. */
  readonly pastAgeing: string[] = [];
  /** Questions without an answer in time. */
  readonly unanswered: string[] = [];
  /** Instants, by statement, of changes that came into force before they were found. */
  readonly since = new Map<string, string>();

  /** Carries out the due work of the statement. If its state changes, its items wait for a later sweep. */
  sweep({ id, items, overSince, questions }: DueStatement): void {
    const { actual, statement } = this.about(id);
    const due = dueState(actual, this.context.now);
    if (due === 'expired') this.#expire(statement, overSince);
    else if (due === 'needs_revalidation') this.#doubt(statement);
    else {
      for (const item of items) this.#age(actual, item);
      for (const question of questions) this.#endQuestion(question, id);
    }
  }

  #expire(statement: Statement, overSince: string | null): void {
    if (overSince !== null) this.since.set(statement.id, overSince);
    const over = { state: 'expired', heldScopeId: null, stateBeforeContest: null } as const;
    this.enter({ ...statement, ...over }, statement.state, 'expired');
  }

  #doubt(statement: Statement): void {
    const reason = 'revalidation_due';
    const doubted = { state: 'needs_revalidation', verification: 'stale' } as const;
    this.#waitAs({ ...statement, ...doubted }, statement, reason, null);
  }

  #age(actual: Statement, item: SweptItem): void {
    const age = ageOf(item, this.context.now);
    if (age === 'escalated') this.escalated.push(item.id);
    if (age === 'left') this.pastAgeing.push(item.id);
    if (age !== 'unanswered') return;
    if (item.kind === 'contest') {
      const ruling = { action: 'leave_unanswered', item } as const;
      const { outcome } = this.rule(actual.id, ruling, new Map(), null);
      // No later sweep could do more about such an item, and it must not hold up those behind it.
      if (outcome !== 'ruled') this.pastAgeing.push(item.id);
      return;
    }
    this.pastAgeing.push(item.id);
    if (actual.state !== 'needs_revalidation') return;
    const { statement } = this.about(actual.id);
    const stale = { state: 'stale', verification: 'stale' } as const;
    this.#waitAs({ ...statement, ...stale }, statement, 'revalidation_unanswered', item.id);
  }

  /**
   * A statement whose question nobody answered in time loses confidence and keeps its state. The item that asks
   * curators the same makes a placed statement stale after its own time. A proposal keeps its state without an answer.
   * A question for consent concerns a place only.
   */
  #endQuestion({ deadlineAt, id: questionId, kind }: SweptQuestion, id: string): void {
    if (Date.parse(deadlineAt) > Date.parse(this.context.now)) return;
    this.unanswered.push(questionId);
    const { statement } = this.about(id);
    if (kind !== owedQuestion(statement)) return;
    const confidence = changedConfidence(statement.confidence, -LOST_CONFIDENCE);
    this.keep(statement, { ...statement, confidence });
  }

  /** A placed statement waits for a person to say whether it is still true. */
  #waitAs(
    after: Statement,
    before: Statement,
    reason: 'revalidation_due' | 'revalidation_unanswered',
    itemId: string | null,
  ): void {
    const verdict = { gate: 'gate_b', decision: 'defer', reason } as const;
    this.record.decide(verdict, before, after, { itemId });
    this.enter(after, before.state, reason);
    this.askAbout(after, reason);
  }
}
