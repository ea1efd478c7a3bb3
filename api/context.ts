/** What the middlewares of one request hand to each other. */
import type Koa from 'koa';
import type { Caller } from '../domain/identity/caller.ts';

export interface ApiState {
  traceId: string;
  /** Null on public routes and before authentication. */
  caller: Caller | null;
  /** The parsed JSON object of the request; empty on routes that read no body. */
  body: Readonly<Record<string, unknown>>;
}

export type ApiContext = Koa.ParameterizedContext<ApiState>;
export type ApiMiddleware = Koa.Middleware<ApiState>;
