/**
 * The OpenAPI 3.1 description of the service, generated from the route table and the schemas that validate
 * input and check output. To change the description, change those declarations.
 */
import {
  DISPLAY_NAME,
  EVIDENCE_IDENTITY,
  GAP_REPORT_IDENTITY,
  GOVERNANCE_IDENTITY,
  PIPELINE_IDENTITY,
  PROFILE_IDENTITY,
  READY_IDENTITY,
} from '../../domain/identities.ts';
import type { OperationTable } from '../../operations/registry.ts';
import type { Route } from '../rest/route.ts';
import { HEADER_PARAMETERS, HEADERS, TRACE_HEADER } from './headers.ts';
import { createSchemaCollection, type Json } from './json-schema.ts';
import { operationObject } from './operation-object.ts';
import { FIELD_PROBLEM, refusalResponses } from './refusals.ts';

export const OPENAPI_PATH = '/api/openapi.json';
export const DOCS_PATH = '/api/docs';

const DESCRIPTION = `
${DISPLAY_NAME} keeps what agents observe. It decides which statements drawn from these observations may be believed
and who may see them. It returns the statements with their sources.

**Conventions.** An action returns an object with one member, \`data\`. The probes \`/api/health\` and \`/api/ready\`
return the report itself. All refusals have the same shape: \`error\`, \`code\` and, for some codes, \`fields\`. Bodies
are JSON in UTF-8, at most 4 MiB unless a route says otherwise. The service ignores unknown members of a request and
treats \`null\` as absent. Later versions may add members to answers and words to closed lists: ignore those that you do
not know. The service answers in the same way about things that are hidden from the caller and things that do not exist.

**Paths and methods.** The answer to an unknown path is 404 \`not_found\`. The answer to a method that the path does not
support is 405 \`method_not_allowed\` with the header \`Allow\`. Both answers need no credential. The answer to a request
that is not valid HTTP is 400, 408 or 431 with the code \`malformed_request\`.

**Versions.** The path prefix is \`/api/v1\`. The version of this description is the version of the application.
The behaviour has versions of its own: the contract identities, which answers carry. They are: extraction and pipeline
\`${PIPELINE_IDENTITY}\`, retrieval \`${PROFILE_IDENTITY}\`, readiness of the service \`${READY_IDENTITY}\`, governance records
\`${GOVERNANCE_IDENTITY}\`, gap reports \`${GAP_REPORT_IDENTITY}\`, evidence exports \`${EVIDENCE_IDENTITY}\`. A program should
check the identity of each answer that it parses.
`.trim();

/** The two routes that show this description; they belong to no operation. */
const OWN_PATHS: Json = {
  [OPENAPI_PATH]: {
    get: ownOperation('readOpenApi', 'This description', 'application/json', { type: 'object' }),
  },
  [DOCS_PATH]: {
    get: ownOperation('readDocs', 'This description as a page', 'text/html', { type: 'string' }),
  },
};

function ownOperation(operationId: string, summary: string, type: string, schema: Json): Json {
  return {
    operationId,
    tags: ['description'],
    summary,
    security: [],
    parameters: [{ $ref: '#/components/parameters/Traceparent' }],
    responses: {
      '200': {
        description: 'The answer.',
        headers: { 'x-trace-id': TRACE_HEADER },
        content: { [type]: { schema } },
      },
      '304': {
        description: 'The description has not changed since the `ETag` in `If-None-Match`.',
        headers: { 'x-trace-id': TRACE_HEADER },
      },
    },
  };
}

function sorted(entries: Iterable<readonly [string, unknown]>): Json {
  return Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The description of `routes`. `version` is the application's semantic version. */
export function openApiDescription(
  routes: readonly Route[],
  operations: OperationTable,
  version: string,
): Json {
  const schemas = createSchemaCollection();
  const responses = new Map<string, Json>();
  const keepResponse = (name: string, response: Json) => void responses.set(name, response);
  const paths = new Map<string, Record<string, unknown>>();
  for (const route of routes) {
    const path = route.path.replace(/:([a-z_]+)/g, '{$1}');
    const item = paths.get(path) ?? {};
    const operation = operations[route.operation];
    item[route.method.toLowerCase()] = operationObject(route, operation, { schemas, keepResponse });
    paths.set(path, item);
  }
  // Answers methods that a path does not list, so no operation refers to it.
  refusalResponses(['method_not_allowed'], keepResponse);
  return {
    openapi: '3.1.1',
    info: {
      title: DISPLAY_NAME,
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }],
    paths: { ...Object.fromEntries(paths), ...OWN_PATHS },
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The API key of an agent, or the token that `POST /api/auth/password` returns.',
        },
      },
      schemas: sorted([...schemas.schemas, ['FieldProblem', FIELD_PROBLEM]]),
      responses: sorted(responses),
      parameters: HEADER_PARAMETERS,
      headers: HEADERS,
    },
  };
}
