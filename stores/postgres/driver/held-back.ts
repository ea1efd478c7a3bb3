/**
 * Statements that wait for the next one, so that all of them cost one round trip to the server instead of one each. What
 * begins a transaction and what sets it up says nothing that the work in it needs before its first statement.
 *
 * Only what reads is sent before the server has said that the transaction has begun and is set up: a write that followed
 * a failed beginning would be one without a transaction.
 */
import type { DriverQueryResult } from 'slonik';

/** An SQL statement as it is sent. With a name the server keeps its plan. */
export interface Statement {
  readonly text: string;
  readonly values?: unknown[] | undefined;
  readonly name?: string | undefined;
}

/** Sends statements at once, in their order, each with an answer of its own. */
export type Send = (statements: readonly Statement[]) => readonly Promise<DriverQueryResult>[];

/** How the pool begins and ends transactions. */
const BEGINS = 'START TRANSACTION';
const ENDS: ReadonlySet<string> = new Set(['COMMIT', 'ROLLBACK']);
/** How statements begin that set up their transaction, and the ones among them that make it read-only. */
const SETS_UP = 'select pg_backend_pid() as pid, set_config(';
const SETS_UP_READING = `${SETS_UP}'transaction_read_only', 'on', true)`;

/** The answer to a statement that was not sent yet. */
const NOT_SENT = { command: 'SELECT', fields: [], rowCount: 0, rows: [] } as const;

interface Held {
  readonly statement: Statement;
  /** Filled once the answer is there. */
  readonly row: Record<string, unknown>;
}

/** The answer to the last one. Throws the first error of all, after the last one was answered. */
async function lastAnswer(
  answers: readonly Promise<DriverQueryResult>[],
): Promise<DriverQueryResult> {
  const ended = await Promise.allSettled(answers);
  let last: DriverQueryResult = { ...NOT_SENT, fields: [], rows: [] };
  for (const one of ended) {
    if (one.status === 'rejected') throw one.reason;
    last = one.value;
  }
  return last;
}

async function filling(row: Held['row'], answer: Promise<DriverQueryResult>) {
  const answered = await answer;
  Object.assign(row, answered.rows[0]);
  return answered;
}

/**
 * Runs the statements of one connection over `send`. The beginning of a transaction is held back until its next statement,
 * and so is the statement that makes it read-only: its answer has one row, which is empty until the server has answered,
 * and its error is thrown by the next statement. A transaction without any further statement is never begun.
 */
export function holdingBack(send: Send): (statement: Statement) => Promise<DriverQueryResult> {
  let held: readonly Held[] = [];

  const sendHeld = (waited: readonly Held[], statements: readonly Statement[]) => {
    const sent = send([...waited.map(({ statement }) => statement), ...statements]);
    return sent.map((answer, at) => {
      const before = waited[at];
      return before === undefined ? answer : filling(before.row, answer);
    });
  };

  return async (statement) => {
    const { text } = statement;
    if (text === BEGINS) {
      held = [{ statement, row: {} }];
      return { ...NOT_SENT, fields: [], rows: [] };
    }
    const waited = held;
    if (waited.length === 0) return lastAnswer(send([statement]));
    if (text.startsWith(SETS_UP_READING)) {
      const row = {};
      held = [...waited, { statement, row }];
      return { ...NOT_SENT, fields: [], rowCount: 1, rows: [row] };
    }
    held = [];
    if (ENDS.has(text)) return { ...NOT_SENT, fields: [], rows: [] };
    const hasBegunOnly = waited.length === 1;
    if (hasBegunOnly && !text.startsWith(SETS_UP)) {
      await lastAnswer(sendHeld(waited, []));
      return lastAnswer(send([statement]));
    }
    return lastAnswer(sendHeld(waited, [statement]));
  };
}
