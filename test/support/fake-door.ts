/**
 * The real application over operations that belong to the test. Real: Koa, every middleware, the route
 * table, `execute`. Faked: what the operations do, and which credentials exist.
 */
import { z } from 'zod';
import { createApp, type AppConfig } from '../../api/app.ts';
import type { RequestObserver } from '../../api/request-observer.ts';
import { pathParameters, statusesOf } from '../../api/rest/route.ts';
import { ROUTES } from '../../api/rest/routes.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import { ROOT_PATH } from '../../domain/scopes/path.ts';
import type { Operation, RequestContext } from '../../operations/operation.ts';
import { operations, type OperationName, type OperationTable } from '../../operations/registry.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import type { Log, LogFields } from '../../engine/logging/logger.ts';
import { serve, type HttpCall, type TestHttp } from './http.ts';

export const GOOD_TOKEN = 'good-token';

export const CALLER: Caller = {
  accountId: '01890000-0000-7000-8000-000000000001',
  credentialId: '01890000-0000-7000-8000-000000000002',
  kind: 'machine',
  peerId: '01890000-0000-7000-8000-000000000003',
  peerKey: 'agent',
  pinPath: null,
  secretPolicy: 'keep',
  // Every route may be asked.
  grants: [{ scopePath: ROOT_PATH, role: 'account_admin', effect: 'allow', propagate: true }],
};

export const MESSAGE_ID = '01890000-0000-7000-8000-0000000000aa';

export type Run = (
  name: OperationName,
  context: RequestContext,
  input: Record<string, unknown>,
) => Promise<unknown>;

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly fields: LogFields;
}

export interface FakeDoor extends TestHttp {
  readonly logged: readonly LogLine[];
}

/** What a route that answers pages takes of its operation. */
const PAGE = z.object({
  items: z.array(z.unknown()),
  next_cursor: z.string().nullable(),
});

const NAMES = Object.keys(operations) as OperationName[];

/** Declared as the operation of its name, and does what the test says. */
function fakeOperation(name: OperationName, run: Run): Operation {
  const { access, effect } = operations[name];
  const isPage = ROUTES.some(
    ({ envelope, operation }) => operation === name && envelope === 'page',
  );
  return {
    id: name,
    // The caller of these tests is a machine; that people's routes refuse machines is tested with real operations.
    access: access === 'human' || access === 'erased' ? 'any_identity' : access,
    effect,
    input: z.looseObject({ content: z.unknown().optional() }),
    output: isPage ? PAGE : z.unknown(),
    async run(context, input) {
      const answer = await run(name, context, z.looseObject({}).parse(input));
      return isPage ? { items: [], next_cursor: null } : answer;
    },
  };
}

function fakeOperations(run: Run): OperationTable {
  return Object.fromEntries(
    NAMES.map((name) => [name, fakeOperation(name, run)]),
  ) as Partial<OperationTable> as OperationTable;
}

function recordingLog(lines: LogLine[]): Log {
  const at = (level: LogLine['level']) => (event: string, fields?: LogFields) => {
    lines.push({ level, event, fields: fields ?? {} });
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

/** Starts the application; without `run` every operation answers an empty object. */
export async function openDoor(
  options: {
    readonly run?: Run;
    readonly config?: Partial<AppConfig>;
    readonly clock?: () => Date;
    readonly observer?: RequestObserver;
    readonly authenticate?: (bearer: string) => Promise<Caller | null>;
    /** Real ones, instead of the fakes of their names. */
    readonly operations?: Partial<OperationTable>;
    readonly environment?: Partial<Environment>;
  } = {},
): Promise<FakeDoor> {
  const logged: LogLine[] = [];
  const authenticate =
    options.authenticate ?? (async (bearer: string) => (bearer === GOOD_TOKEN ? CALLER : null));
  // The door itself asks for callers only; the rest belongs to the operations.
  const environment = { authenticate, ...options.environment } as Environment;
  const app = createApp({
    environment,
    log: recordingLog(logged),
    operations: {
      ...fakeOperations(options.run ?? (async () => ({}))),
      ...options.operations,
    },
    config: { ratePerSecond: null, publicHttps: false, ...options.config },
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.observer === undefined ? {} : { observer: options.observer }),
  });
  // Fakes that do as a test wishes may answer what no real operation does.
  const described = options.run === undefined;
  return { ...(await serve(app, { described })), logged };
}

/** A good request of every route, ready to be spoilt in one respect. */
export const GOOD_CALLS: readonly (HttpCall & {
  readonly method: string;
  readonly needsCredential: boolean;
  readonly hasBody: boolean;
  readonly bodyLimitBytes: number;
  /** What a good request may be answered with. */
  readonly statuses: readonly number[];
  /** A member whose text may fill the body. */
  readonly largestMember: string;
  /** What the path itself gives to the operation. */
  readonly ofThePath: Readonly<Record<string, string>>;
})[] = ROUTES.map((route) => {
  const hasBody = route.method === 'POST' || route.method === 'PUT';
  return {
    method: route.method,
    path: route.path.replace(/:[a-z_]+/g, MESSAGE_ID),
    needsCredential: operations[route.operation].access !== 'public',
    hasBody,
    bodyLimitBytes: route.bodyLimitBytes ?? 4 * 1024 * 1024,
    statuses: statusesOf(route),
    largestMember: route.file?.field ?? 'a',
    ofThePath: Object.fromEntries(
      pathParameters(route).map(({ field }) => [field, MESSAGE_ID] as const),
    ),
    token: GOOD_TOKEN,
    ...(hasBody ? { json: { text: 'plain' } } : {}),
  };
});
