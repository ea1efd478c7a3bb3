/** The state that the middlewares of one request share. */
import type { RouterContext } from '@koa/router';
import type Koa from 'koa';
import type { RefusalCode } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import type { TraceParent } from '../domain/tracing.ts';

export interface ApiState {
  traceId: string;
  /** The caller's span, when it named one. */
  traceParent: TraceParent | null;
  /** Why the request was refused; null when it was not. */
  refused: RefusalCode | null;
  /** The network that the request came from (see `client-address.ts`); null once its socket has no address. */
  clientAddress: string | null;
  /** Null on public routes and before authentication. */
  caller: Caller | null;
  /** Resolves the credential again; refuses with `unauthorized` once it has ended. Set with `caller`. */
  resolveCaller?: () => Promise<Caller>;
  /** The cookie of the browser that the forms of a page of the console belong to. */
  formCookie?: string;
  /** Whether the token of a form with a file was found good before the file was read. */
  isFormAdmitted?: boolean;
  /** What `WWW-Authenticate` says on this path; `Bearer` when absent. */
  challenge?: string;
  /** The parsed JSON object of the request; empty on routes that read no body. */
  body: Readonly<Record<string, unknown>>;
}

export type ApiContext = Koa.ParameterizedContext<ApiState>;
export type ApiMiddleware = Koa.Middleware<ApiState>;
/** Stands after the router, and sees which of its paths the request has met. */
export type AfterRouter = Koa.Middleware<ApiState, RouterContext<ApiState>>;
