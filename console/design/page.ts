/** The input and the answer of a page of the console. Pages know nothing about HTTP. */
import type { RefusalCode, FieldProblem } from '../../domain/errors.ts';
import type { Caller } from '../../domain/identity/caller.ts';
import type { OperationName, OutputOf } from '../../operations/registry.ts';
import type { Markup } from './markup.ts';

/** The viewer of the page: a person who signed in. */
export interface Viewer {
  readonly caller: Caller;
}

/** Why a form was not accepted: shown above the form when its page is shown again. */
export interface Problem {
  readonly code: RefusalCode;
  readonly fields: readonly FieldProblem[];
  readonly retryAfterSeconds: number | null;
}

/** A file that a form brought. */
export interface SentFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** The name of the file on the person's computer; empty if the browser sends none. It is a text of a caller. */
  readonly name: string;
}

/** A tool of models, as clients see it. */
export interface ToolCard {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required: readonly string[];
  };
  /** Fields that most calls give, although no call must. */
  readonly usual: readonly string[];
  readonly reads: boolean;
  /** Why the viewer may not call it. Null if the viewer may. */
  readonly whyNot: string | null;
}

/** The result of a call, with what stands in it for programs. */
export interface ToolResultAtHand {
  readonly structuredContent: unknown;
}

/** Runs a tool as the viewer. A refusal is a result too; `code` is `ok` or that of the refusal. */
export type RunAtHand = (
  name: string,
  given: Readonly<Record<string, unknown>>,
) => Promise<{ readonly code: string; readonly ms: number; readonly result: ToolResultAtHand }>;

export interface ViewRequest {
  /** Null on pages that anybody may open, for somebody who has not signed in. */
  readonly viewer: Viewer | null;
  readonly path: string;
  /** Parts of the path, by their names. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of the form that was sent; empty for a page that was opened. A field that was sent twice counts once. */
  readonly form: Readonly<Record<string, string>>;
  /** The file that a form of a route with `fileFields` brought; null elsewhere. */
  readonly file: SentFile | null;
  /** Every form carries it in the field `_csrf`. */
  readonly csrf: string;
  readonly now: Date;
  readonly problem: Problem | null;
  /** Calls an operation as the viewer. Throws the `Refusal` that it gives. */
  readonly call: <N extends OperationName>(name: N, input: unknown) => Promise<OutputOf<N>>;
  /** The tools of models. */
  readonly tools: () => readonly ToolCard[];
  readonly runTool: RunAtHand;
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
  /** The new session, or null to end the session. Absent: the session stays as it is. */
  readonly session?: { readonly token: string; readonly expiresAt: Date } | null;
}

export type PageAnswer = ShownPage | Onward;

interface RouteOf<Access extends string, Request> {
  readonly path: string;
  /**
   * `public`: anybody. `people`: people who signed in. `erased`: also the person who asked for an erasure with this
   * session.
   */
  readonly access: Access;
  /** Shows the page. */
  readonly show?: (request: Request) => PageAnswer | Promise<PageAnswer>;
  /** Takes the form that is sent to the path. */
  readonly take?: (request: Request) => PageAnswer | Promise<PageAnswer>;
  /** The form brings a file, as `multipart/form-data`, and has these fields beside it; the token comes first. */
  readonly fileFields?: readonly string[];
  /** The only operations that `show` and `take` may call. */
  readonly calls: readonly OperationName[];
  /** The page to show again with `problem` after a refused form. Absent: the problem gets a page of its own. */
  readonly again?: {
    readonly show: (request: Request) => PageAnswer | Promise<PageAnswer>;
    readonly calls: readonly OperationName[];
  };
}

export type PublicRoute = RouteOf<'public', ViewRequest>;
export type PeopleRoute = RouteOf<'people' | 'erased', ViewerRequest>;
export type ConsoleRoute = PublicRoute | PeopleRoute;
