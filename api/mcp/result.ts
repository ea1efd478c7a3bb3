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
/** What comes first, so that a model reads it first, and is there also when it is empty. */
const FIRST = ['answer', 'abstained', 'citations', 'candidates'] as const;

/** How the answer came about: for who looks into a search, not for who reads what it found. */
const DIAGNOSTICS: ReadonlySet<string> = new Set([
  'retrieval_outcomes',
  'latency_ms',
  'pre_rerank_remaining_ms',
  'reserved_rerank_ms',
  'empty_strategies',
  'dropped_strategies',
]);

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

/** The content for a reader who wants what was found, and first of all that. */
function lean(content: Content): Content {
  const isFirst = new Set<string>(FIRST);
  const first = FIRST.filter((name) => Object.hasOwn(content, name));
  const rest = Object.entries(content).filter(
    ([name, value]) =>
      !isFirst.has(name) && !DIAGNOSTICS.has(name) && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries([...first.map((name) => [name, content[name]]), ...rest]);
}

/** The same content twice: as a value for programs, as JSON text for clients that know only text. */
function resultOf(content: Content): ToolResult {
  return {
    content: [{ type: 'text', text: JSON.stringify(content) }],
    structuredContent: content,
  };
}

/** The result of a tool; with `diagnostics`, all that REST answers. */
export function successResult(tool: Tool, output: unknown, diagnostics: boolean): ToolResult {
  const content = contentOf(tool, output);
  return resultOf(tool.diagnosed === undefined || diagnostics ? content : lean(content));
}

/** A refusal is a result that the model reads, in the one error shape. */
export function errorResult(refusal: Refusal): ToolResult {
  return { ...resultOf({ ...errorAnswer(refusal).body }), isError: true };
}
