/** The changes of a plan to the items of its statements: it opens some and closes others. */
import type { Statement } from '../statements/statement.ts';
import type { EndedItemState, ItemClosing, ItemKind, ItemOpening } from './items.ts';

/** The question to a person about a statement. The statement gives the other values of the item. */
export type ItemQuestion = Pick<ItemOpening, 'kind' | 'reason' | 'dueHours'> &
  Partial<
    Pick<ItemOpening, 'conflictId' | 'targetScopeId' | 'targetLevel' | 'proposedSensitivity'>
  >;

const keyOf = (statementId: string, kind: ItemKind, conflictId: string | null): string =>
  `${statementId}|${kind}|${conflictId ?? ''}`;

/** If a plan opens and closes one item, the later change counts. */
export class ItemChanges {
  readonly #openings = new Map<string, ItemOpening>();
  readonly #closings = new Map<string, ItemClosing>();

  /** Asks the question, unless an item asks it already. */
  open(statement: Statement, question: ItemQuestion): void {
    const { conflictId = null } = question;
    const key = keyOf(statement.id, question.kind, conflictId);
    this.#closings.delete(key);
    this.#openings.set(key, {
      targetScopeId: null,
      targetLevel: statement.targetLevel,
      proposedSensitivity: null,
      ...question,
      conflictId,
      statementId: statement.id,
      scopeId: statement.scopeId,
      subjectPeerId: statement.subject.type === 'peer' ? statement.subject.id : null,
      hasAudience: statement.audience !== null,
    });
  }

  close(
    statementId: string,
    kind: ItemKind,
    end: { readonly state: EndedItemState; readonly reason: string; readonly by?: string | null },
    conflictId: string | null = null,
  ): void {
    const key = keyOf(statementId, kind, conflictId);
    this.#openings.delete(key);
    this.#closings.set(key, {
      by: null,
      ...end,
      statementId,
      kind,
      conflictId,
      except: [],
    });
  }

  /**
   * Closes the other questions about a statement whose state has changed, but those of `kept`; conflicts follow the
   * timeline.
   */
  closeOthers(statementId: string, reason: string, kept: readonly ItemKind[] = []): void {
    const named = [...this.#openings.values(), ...this.#closings.values()];
    const except = named.flatMap((item) =>
      item.statementId === statementId && item.conflictId === null && item.kind !== null
        ? [item.kind]
        : [],
    );
    this.#closings.set(`${statementId}|`, {
      statementId,
      kind: null,
      conflictId: null,
      except: [...new Set([...except, ...kept])],
      state: 'closed',
      reason,
      by: null,
    });
  }

  /** Withdraws the questions of the plan about a statement that a newer one supersedes, except conflicts. */
  takeBack(statementId: string): void {
    for (const [key, item] of this.#openings) {
      if (item.statementId === statementId && item.conflictId === null) this.#openings.delete(key);
    }
  }

  get openings(): readonly ItemOpening[] {
    return [...this.#openings.values()];
  }

  get closings(): readonly ItemClosing[] {
    return [...this.#closings.values()];
  }
}
