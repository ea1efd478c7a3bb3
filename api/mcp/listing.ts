/** What `tools/list` answers: the tools with the JSON Schema of their arguments and hints that follow from operations. */
import { z } from 'zod';
import type { Operation } from '../../operations/operation.ts';
import { LENIENT } from '../../operations/lenient.ts';
import type { OperationTable } from '../../operations/registry.ts';
import { fieldSchema, isJson, type Json } from '../openapi/json-schema.ts';
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from '../rest/idempotency.ts';
import type { Tool } from './tools.ts';

export const IDEMPOTENCY_FIELD = 'idempotency_key';

const idempotencySchema: Json = {
  type: 'string',
  minLength: 1,
  maxLength: MAX_IDEMPOTENCY_KEY_CHARACTERS,
  description:
    'A text of your own for this call. The same call with the same key gives the first answer again and stores nothing, for 24 hours.',
};

export const DIAGNOSTICS_FIELD = 'diagnostics';

const diagnosticsSchema: Json = {
  type: 'boolean',
  description: 'Adds how the answer came about: the parts of the search, their times, empty lists.',
  default: false,
};

/** Arguments that are the door's own, not the operation's. */
function ownArguments({ diagnosed, repeatable }: Tool): Readonly<Record<string, Json>> {
  return {
    ...(diagnosed === undefined ? {} : { [DIAGNOSTICS_FIELD]: diagnosticsSchema }),
    ...(repeatable === undefined ? {} : { [IDEMPOTENCY_FIELD]: idempotencySchema }),
  };
}

/** Every name that a call of the tool may have. */
export function argumentNames(tool: Tool): readonly string[] {
  return [...tool.takes, ...Object.keys(ownArguments(tool))];
}

/** Models are told to leave out what they do not want; that null means the same need not be said in every field. */
function withoutNull(schema: Json): Json {
  const { type, anyOf, ...rest } = schema;
  if (Array.isArray(type)) return { ...rest, type: type.filter((one) => one !== 'null')[0] };
  if (!Array.isArray(anyOf)) return schema;
  const [only, ...more] = anyOf.filter((branch) => !isJson(branch) || branch['type'] !== 'null');
  return isJson(only) && more.length === 0 ? { ...only, ...rest } : schema;
}

function argumentSchema(tool: Tool, shape: Readonly<Record<string, unknown>>, name: string): Json {
  const field = shape[name];
  if (!(field instanceof z.ZodType)) throw new TypeError(`${tool.name} has no field ${name}`);
  const schema = withoutNull(fieldSchema(field).schema);
  const isNeeded = [...tool.needs, ...(tool.needsOneOf ?? [])].includes(name);
  const { default: elsewhere, type, [LENIENT]: _takesAny, ...rest } = schema;
  const unless = tool.unless?.[name] ?? elsewhere;
  const description = tool.says?.[name] ?? rest['description'];
  return {
    ...(type === undefined ? {} : { type }),
    ...rest,
    ...(description === undefined ? {} : { description }),
    ...(isNeeded || unless === undefined ? {} : { default: unless }),
  };
}

function inputSchema(tool: Tool, { input }: Operation) {
  if (!(input instanceof z.ZodObject)) throw new TypeError(`${tool.name} takes no object`);
  const properties = tool.takes.map((name): [string, Json] => [
    name,
    argumentSchema(tool, input.shape, name),
  ]);
  return {
    type: 'object' as const,
    properties: { ...Object.fromEntries(properties), ...ownArguments(tool) },
    required: [...tool.needs],
    additionalProperties: false,
  };
}

/** The tools as a client sees them, in the order of the table. */
export function listTools(tools: readonly Tool[], operations: OperationTable) {
  return tools.map((tool) => {
    const operation = operations[tool.operation];
    const isRead = operation.effect === 'read';
    return {
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchema(tool, operation),
      annotations: {
        title: tool.title,
        readOnlyHint: isRead,
        ...(isRead
          ? {}
          : {
              destructiveHint: tool.destructive === true,
              idempotentHint: tool.idempotent === true,
            }),
        openWorldHint: false,
      },
    };
  });
}
