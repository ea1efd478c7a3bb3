/** Answers in the form in which two of them can be compared. */
import type { HttpAnswer } from '../support/http.ts';

const OF_THE_REQUEST: ReadonlySet<string> = new Set(['date', 'x-trace-id']);
const TIMES: ReadonlySet<string> = new Set([
  'latency_ms',
  'elapsed_ms',
  'budget_remaining_ms',
  'pre_rerank_remaining_ms',
]);

/** Status, headers and body byte for byte; only the date and the trace id belong to the request. */
export function exactly(answer: HttpAnswer): unknown {
  return {
    status: answer.status,
    headers: Object.entries(answer.headers).filter(([name]) => !OF_THE_REQUEST.has(name)),
    body: answer.text,
  };
}

/** A value of an answer without what the clock measured. */
export function withoutClock(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (key: string, member: unknown) =>
    TIMES.has(key) && typeof member === 'number' ? 0 : member,
  );
}

/** The same without what the clock measured, and without the length that its digits have. */
export function withoutTimes(answer: HttpAnswer): unknown {
  const body = withoutClock(JSON.parse(answer.text));
  return {
    status: answer.status,
    headers: Object.entries(answer.headers).filter(
      ([name]) => !OF_THE_REQUEST.has(name) && name !== 'content-length',
    ),
    body: JSON.stringify(body),
  };
}

/** `[status, code]` of a refusal, with the paths of the fields that it names. */
export function refusal(answer: HttpAnswer): readonly unknown[] {
  const body = Object(answer.json());
  const fields: unknown = body.fields;
  const paths = Array.isArray(fields) ? fields.map((field) => Object(field).path) : [];
  return [answer.status, body.code, ...paths];
}
