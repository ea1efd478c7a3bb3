/** From the output of an operation, or its refusal, to the result of a call. */
import { z } from 'zod';
import type { Refusal } from '../../domain/errors.ts';
import { errorAnswer } from '../errors.ts';
import { BESIDE_DATA } from '../rest/route.ts';
import type { Tool } from './tools.ts';

type Content = Readonly<Record<string, unknown>>;

export interface ToolResult {
  readonly [key: string]: unknown;
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Content;
  readonly isError?: true;
}

const pageOutput = z.object({
  items: z.array(z.unknown()),
  next_cursor: z.string().nullable(),
  [BESIDE_DATA]: z.unknown().optional(),
});
const objectOutput = z.looseObject({});

/** What REST has as `data`, and the question for the reader beside it. */
function contentOf({ page }: Tool, output: unknown): Content {
  if (page !== true) return objectOutput.parse(output);
  const { items, next_cursor: next, [BESIDE_DATA]: question } = pageOutput.parse(output);
  return {
    data: items,
    ...(next === null ? {} : { next_cursor: next }),
    ...(question === undefined ? {} : { [BESIDE_DATA]: question }),
  };
}

/** The same content twice: as a value for programs, as JSON text for clients that know only text. */
function resultOf(content: Content): ToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(content) }],
    structuredContent: content,
  };
}

export function successResult(tool: Tool, output: unknown): ToolResult {
  return resultOf(contentOf(tool, output));
}

/** A refusal is a result that the model reads, in the one error shape. */
export function errorResult(refusal: Refusal): ToolResult {
  return { ...resultOf({ ...errorAnswer(refusal).body }), isError: true };
}
