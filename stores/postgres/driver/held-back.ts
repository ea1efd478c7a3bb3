/**
 * Statements that wait for the next one, so that all of them cost one round trip to the server instead of one each: what
 * begins a transaction, and what sets something for the rest of it. The work in it needs none of their answers.
 *
 * Only what reads is sent before the server has said that the transaction has begun: a write that followed a failed
 * beginning would be one without a transaction. A setting that fails does no harm, because the server refuses whatever
 * follows in its transaction.
 */
import type { DriverQueryResult } from 'slonik';

/** An SQL statement as it is sent. With a name the server keeps its plan. */
export interface SentStatement {
  readonly text: string;
  readonly values?: unknown[] | undefined;
  readonly name?: string | undefined;
}

/** Sends statements at once, in their order, each with an answer of its own. */
export type Send = (statements: readonly SentStatement[]) => readonly Promise<DriverQueryResult>[];

/** How the pool begins and ends transactions. */
const BEGINS = 'START TRANSACTION';
const ENDS: ReadonlySet<string> = new Set(['COMMIT', 'ROLLBACK']);
/** How statements begin that set up their transaction, and the ones among them that make it read-only. */
const SETS_UP = 'select pg_backend_pid() as pid, set_config(';
const SETS_UP_READING = `${SETS_UP}'transaction_read_only', 'on', true)`;
/** How statements begin that only set something for the rest of their transaction. */
const SETS = /^\s*select set_config\(/;

/** The answer to a statement that was not sent yet. */
const NOT_SENT = { command: 'SELECT', fields: [], rowCount: 0, rows: [] } as const;

interface Held {
  readonly statement: SentStatement;
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

function answerOfHeld(row: Held['row']): DriverQueryResult {
  return { ...NOT_SENT, fields: [], rowCount: 1, rows: [row] };
}

/** Whether the beginning of a transaction is held back that may write. */
function mayWrite([first, second]: readonly Held[]): boolean {
  return first?.statement.text === BEGINS && second === undefined;
}

/**
 * Runs the statements of one connection over `send`. What is held back is answered at once, with one row that stays empty
 * until the server has answered; its error is thrown by the next statement. At the end of a transaction nothing that is
 * still held back is needed any more: a transaction without any other statement is never begun.
 */
export function holdingBack(send: Send): (statement: SentStatement) => Promise<DriverQueryResult> {
  let isWithin = false;
  let held: readonly Held[] = [];

  const hold = (statement: SentStatement): DriverQueryResult => {
    const row = {};
    held = [...held, { statement, row }];
    return answerOfHeld(row);
  };

  const sendHeld = (statements: readonly SentStatement[]) => {
    const waited = held;
    held = [];
    const sent = send([...waited.map(({ statement }) => statement), ...statements]);
    return sent.map((answer, at) => {
      const before = waited[at];
      return before === undefined ? answer : filling(before.row, answer);
    });
  };

  return async (statement) => {
    const { text } = statement;
    if (text === BEGINS) {
      isWithin = true;
      return hold(statement);
    }
    if (!isWithin) return lastAnswer(send([statement]));
    if (ENDS.has(text)) {
      const isBegun = held[0]?.statement.text !== BEGINS;
      isWithin = false;
      held = [];
      return isBegun ? lastAnswer(send([statement])) : answerOfHeld({});
    }
    if (text.startsWith(SETS_UP_READING)) return hold(statement);
    if (mayWrite(held)) {
      if (text.startsWith(SETS_UP)) return lastAnswer(sendHeld([statement]));
      await lastAnswer(sendHeld([]));
    }
    return SETS.test(text) ? hold(statement) : lastAnswer(sendHeld([statement]));
  };
}
