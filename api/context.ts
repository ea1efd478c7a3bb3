/** The state that the middlewares of one request share. */
import type { RouterContext } from '@koa/router';
import type Koa from 'koa';
import type { RefusalCode } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import type { TraceParent } from '../domain/tracing.ts';

export interface ApiState {
  traceId: string;
  /** The span id from the caller's `traceparent`, if the request has one. */
  traceParent: TraceParent | null;
  /** Why the request was refused; null when it was not. */
  refused: RefusalCode | null;
  /** The network that the request came from (see `client-address.ts`); null once its socket has no address. */
  clientAddress: string | null;
  /** Null on public routes and before authentication. */
  caller: Caller | null;
  /** Resolves the credential again. Refuses with `unauthorized` if the credential has ended. Set with `caller`. */
  resolveCaller?: () => Promise<Caller>;
  /** The cookie of the browser that the forms of a page of the console belong to. */
  formCookie?: string;
  /** Whether the door has checked the token of a form with a file. It checks the token before it reads the file. */
  isFormAdmitted?: boolean;
  /** The value of `WWW-Authenticate` on this path; `Bearer` when absent. */
  challenge?: string;
  /** The parsed JSON object of the request; empty on routes that read no body. */
  body: Readonly<Record<string, unknown>>;
}

export type ApiContext = Koa.ParameterizedContext<ApiState>;
export type ApiMiddleware = Koa.Middleware<ApiState>;
/** The middleware runs after the router and sees which path the request matched. */
export type AfterRouter = Koa.Middleware<ApiState, RouterContext<ApiState>>;
