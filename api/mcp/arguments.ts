/** From the arguments of a call to the input of its operation. What the input means, the operation judges. */
import { z } from 'zod';
import { invalidField, Refusal } from '../../domain/errors.ts';
import type { Operation } from '../../operations/operation.ts';
import { cleanJson, isJsonObject, type JsonObject } from '../json-text.ts';
import { withKnownPaths } from '../middleware/json-body.ts';
import { checkedKey } from '../rest/idempotency.ts';
import { readId } from '../rest/input.ts';
import { argumentNames, DIAGNOSTICS_FIELD, IDEMPOTENCY_FIELD } from './listing.ts';
import type { Tool } from './tools.ts';

/** Accepted and ignored everywhere: the account follows from the credential. */
const ACCOUNT_FIELD = 'account_key';

export interface ToolInput {
  readonly input: JsonObject;
  /** Null: the call names none. */
  readonly idempotencyKey: string | null;
  /** Whether the answer is to say how it came about. */
  readonly diagnostics: boolean;
}

/** Null members are absent, and text that cannot be stored is refused, as in a body of REST. */
function cleaned(given: unknown, names: readonly string[]): JsonObject {
  if (given === undefined || given === null) return {};
  if (!isJsonObject(given)) throw invalidField('', 'must be a JSON object');
  try {
    return Object(cleanJson(given));
  } catch (error) {
    throw withKnownPaths(error, new Set(names));
  }
}

/** Whether the operation goes on without the field; of others it says itself what is missing. */
function hasDefault({ input }: Operation, name: string): boolean {
  const field: unknown = input instanceof z.ZodObject ? input.shape[name] : undefined;
  return !(field instanceof z.ZodType) || field.safeParse(undefined).success;
}

/** A name that is not known is not repeated: it is text that the caller chose. */
function assertNames(
  args: JsonObject,
  { needs, needsOneOf }: Tool,
  names: readonly string[],
  operation: Operation,
): void {
  const known = new Set([...names, ACCOUNT_FIELD]);
  const isStrange = Object.keys(args).some((name) => !known.has(name));
  const isGiven = (name: string): boolean => Object.hasOwn(args, name);
  const lacking = needsOneOf === undefined || needsOneOf.some(isGiven) ? [] : [needsOneOf[0]];
  const fields = [
    ...(isStrange
      ? [{ path: '', message: `takes only ${names.join(', ') || 'no arguments'}` }]
      : []),
    ...[...lacking, ...needs]
      .filter((name) => !isGiven(name) && hasDefault(operation, name))
      .map((path) => ({ path, message: 'is required' })),
  ];
  if (fields.length > 0) throw new Refusal('invalid_request', { fields });
}

/** Throws `invalid_request` for arguments that the tool does not have, or that it needs and were not given. */
export function readArguments(tool: Tool, operation: Operation, given: unknown): ToolInput {
  const names = argumentNames(tool);
  const args = cleaned(given, names);
  assertNames(args, tool, names, operation);
  const {
    [ACCOUNT_FIELD]: _account,
    [DIAGNOSTICS_FIELD]: diagnostics = false,
    [IDEMPOTENCY_FIELD]: key,
    ...input
  } = args;
  if (typeof diagnostics !== 'boolean') {
    throw invalidField(DIAGNOSTICS_FIELD, 'must be true or false');
  }
  if (key !== undefined && typeof key !== 'string') {
    throw invalidField(IDEMPOTENCY_FIELD, 'must be a text');
  }
  const ids = (tool.ids ?? []).flatMap((name) => {
    const text = input[name];
    return typeof text === 'string' ? [[name, readId(text)]] : [];
  });
  return {
    input: { ...tool.unless, ...input, ...Object.fromEntries(ids) },
    diagnostics,
    idempotencyKey: key === undefined ? null : checkedKey(key, IDEMPOTENCY_FIELD),
  };
}
