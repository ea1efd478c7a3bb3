/**
 * The OpenAPI 3.1 description of the service, generated from the route table and the schemas that validate
 * input and check output. To change the description, change those declarations.
 */
import {
  ARCHIVE_IDENTITY,
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
${DISPLAY_NAME} keeps what agents observe, decides which statements drawn from it may be believed and who may
see them, and gives them back with their sources.

**Conventions.** Domain actions answer one member, \`data\`; probes answer the report itself; refusals have the
one error shape. Bodies are JSON in UTF-8, at most 4 MiB unless a route says otherwise. Members that are not
known are ignored, and \`null\` is absence. Members may be added to answers, and words to their closed lists, at
any time: ignore what you do not know. What is hidden and what does not exist answer alike.

**Paths and methods.** A path that nobody serves is 404 \`not_found\`; a method that a path does not offer is 405
\`method_not_allowed\` with \`Allow\`. Neither asks for a credential. What is no HTTP at all is answered with 400,
408 or 431 and the code \`malformed_request\`.

**Versions.** The path prefix is \`/api/v1\`. The version of this document is that of the application; behaviour
is versioned apart from it, by contract identities that answers carry: extraction and pipeline
\`${PIPELINE_IDENTITY}\`, retrieval \`${PROFILE_IDENTITY}\`, readiness of the service \`${READY_IDENTITY}\`, governance records
\`${GOVERNANCE_IDENTITY}\`, gap reports \`${GAP_REPORT_IDENTITY}\`, evidence exports \`${EVIDENCE_IDENTITY}\`, archives \`${ARCHIVE_IDENTITY}\`. Pin what
you parse.
`.trim();

/** The two routes that show this document; they belong to no operation. */
const OWN_PATHS: Json = {
  [OPENAPI_PATH]: {
    get: ownOperation('readOpenApi', 'This document', 'application/json', { type: 'object' }),
  },
  [DOCS_PATH]: {
    get: ownOperation('readDocs', 'This document as a page', 'text/html', { type: 'string' }),
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
        description: 'Unchanged since the `ETag` that `If-None-Match` names.',
        headers: { 'x-trace-id': TRACE_HEADER },
      },
    },
  };
}

function sorted(entries: Iterable<readonly [string, unknown]>): Json {
  return Object.fromEntries([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The document of `routes`. `version` is the application's semantic version. */
export function openApiDocument(
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
          description: "An agent's API key, or the token that `POST /api/auth/password` answers.",
        },
      },
      schemas: sorted([...schemas.schemas, ['FieldProblem', FIELD_PROBLEM]]),
      responses: sorted(responses),
      parameters: HEADER_PARAMETERS,
      headers: HEADERS,
    },
  };
}
