/** What a page of the console is given, and what it answers. Pages know nothing of HTTP. */
import type { RefusalCode, FieldProblem } from '../domain/errors.ts';
import type { Caller } from '../domain/identity/caller.ts';
import type { OperationName, OutputOf } from '../operations/registry.ts';
import type { Markup } from './design/markup.ts';

/** Who looks at the page: a person who has signed in. */
export interface Viewer {
  readonly caller: Caller;
}

/** Why a form was not accepted: shown above the form when its page is shown again. */
export interface Problem {
  readonly code: RefusalCode;
  readonly fields: readonly FieldProblem[];
  readonly retryAfterSeconds: number | null;
}

export interface ViewRequest {
  /** Null on pages that anybody may open, for somebody who has not signed in. */
  readonly viewer: Viewer | null;
  readonly path: string;
  /** Parts of the path, by their names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of the form that was sent; empty for a page that was opened. A field that was sent twice counts once. */
  readonly form: Readonly<Record<string, string>>;
  /** Every form carries it in the field `_csrf`. */
  readonly csrf: string;
  readonly now: Date;
  readonly problem: Problem | null;
  /** Calls an operation as the viewer. Throws the `Refusal` that it gives. */
  readonly call: <N extends OperationName>(name: N, input: unknown) => Promise<OutputOf<N>>;
}

export type ViewerRequest = ViewRequest & { readonly viewer: Viewer };

/** A page that is shown. */
export interface ShownPage {
  readonly title: string;
  readonly main: Markup;
  /** 200 when left out. */
  readonly status?: number;
}

/** Another page to open instead. */
export interface Onward {
  readonly to: string;
  /** A session that begins, or null for the one that ends; left out, the session stays as it is. */
  readonly session?: { readonly token: string; readonly expiresAt: Date } | null;
}

export type PageAnswer = ShownPage | Onward;

interface RouteOf<Access extends string, Request> {
  readonly path: string;
  /** `public`: anybody. `people`: who has signed in. `erased`: these, and who asked for an erasure with this session. */
  readonly access: Access;
  /** Shows the page. */
  readonly show?: (request: Request) => PageAnswer | Promise<PageAnswer>;
  /** Takes the form that is sent to the path. */
  readonly take?: (request: Request) => PageAnswer | Promise<PageAnswer>;
  /** The operations that the two may call, and no other. */
  readonly calls: readonly OperationName[];
  /** The page of a form that was refused, which is shown with `problem`; left out, the problem is a page of its own. */
  readonly again?: {
    readonly show: (request: Request) => PageAnswer | Promise<PageAnswer>;
    readonly calls: readonly OperationName[];
  };
}

export type PublicRoute = RouteOf<'public', ViewRequest>;
export type PeopleRoute = RouteOf<'people' | 'erased', ViewerRequest>;
export type ConsoleRoute = PublicRoute | PeopleRoute;
