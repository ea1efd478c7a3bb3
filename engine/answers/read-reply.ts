/** Reads what a model wrote as an answer. What cannot be read is named, so that the model can be asked again. */
import { z } from 'zod';
import type { ObjectSchema } from '../models/provider.ts';
import { unwrapJson } from '../models/unwrap-json.ts';

/** An answer is some sentences; a longer one is a fault. */
const MOST_ANSWER_CHARS = 16_000;
/** Citations that are read; no list of evidence is longer. */
const MOST_CITATIONS = 64;

const reply = z.strictObject({
  answer: z.string(),
  citations: z.array(z.string()),
  abstained: z.boolean(),
  answer_confidence: z.int(),
});

const { $schema: _dialect, ...schema } = z.toJSONSchema(reply);
/** The schema as sent, without the dialect line that some endpoints refuse. */
export const REPLY_SCHEMA: ObjectSchema = { name: 'answer', schema };

/** `no_object`, or the member that cannot be read. */
export type ReplyFault = 'no_object' | keyof typeof reply.shape;

export interface ModelReply {
  readonly answer: string;
  /** As written: short names of evidence, or anything else. */
  readonly citations: readonly string[];
  readonly abstained: boolean;
  readonly confidence: number;
}

export type ReadReply =
  | { readonly reply: ModelReply; readonly faults: readonly [] }
  | { readonly reply: null; readonly faults: readonly ReplyFault[] };

/** What is said in lone surrogates cannot be answered as JSON, nor can callers store NUL. */
function readable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '').trim();
}

/** What is read of an answer: more forms than are asked for, as far as their meaning is plain. */
const tolerated = z.object({
  answer: z.string().transform(readable).pipe(z.string().min(1).max(MOST_ANSWER_CHARS)),
  citations: z.preprocess(
    (list) => (Array.isArray(list) ? list.slice(0, MOST_CITATIONS) : list),
    z.array(z.string()),
  ),
  abstained: z.boolean(),
  // A number that is written as text is a number.
  answer_confidence: z.preprocess(
    (value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
    z.int().min(0).max(100),
  ),
});

/** Reads an answer of any form; never throws. Members beyond the four are no fault. */
export function readReply(text: string): ReadReply {
  const object: unknown = unwrapJson(text);
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return { reply: null, faults: ['no_object'] };
  }
  const { data, error } = tolerated.safeParse(object);
  if (data === undefined) {
    const wrong = new Set(error.issues.map(({ path }) => path[0]));
    return { reply: null, faults: reply.keyof().options.filter((name) => wrong.has(name)) };
  }
  const { abstained, answer, answer_confidence: confidence, citations } = data;
  return { reply: { answer, citations, abstained, confidence }, faults: [] };
}
