/** The door of the console: mounts its pages and gives each what it needs of a request. */
import type { Router, RouterContext } from '@koa/router';
import { loadAssets, ASSETS_PATH } from '../../console/assets.ts';
import type {
  PageAnswer,
  ConsoleRoute,
  ViewerRequest,
  ViewRequest,
  Problem,
} from '../../console/design/page.ts';
import { problemPage } from '../../console/pages/problem.ts';
import { CONSOLE_ROUTES, methodsOf } from '../../console/routes.ts';
import { csrfToken } from '../../console/session/csrf.ts';
import { Refusal } from '../../domain/errors.ts';
import { execute } from '../../operations/execute.ts';
import type { Environment } from '../../operations/environment/environment.ts';
import type { OperationName, OperationTable, OutputOf } from '../../operations/registry.ts';
import type { Log } from '../../engine/logging/logger.ts';
import type { Bounds } from '../bounds.ts';
import type { AfterRouter, ApiMiddleware, ApiState } from '../context.ts';
import { STATUS_BY_CODE } from '../errors.ts';
import type { AddressRules } from '../mcp/address.ts';
import { authenticationAgain } from '../middleware/authentication.ts';
import { rateLimit } from '../middleware/rate-limit.ts';
import { requestPace } from '../middleware/request-pace.ts';
import { clientIsGone, refusalFor } from '../refusing.ts';
import { requestContext } from '../request-context.ts';
import { UNITS_OF_REQUEST } from '../request-pace.ts';
import { sendAnswer, type Writing } from './answer.ts';
import { browserSession, ownTokenOnly } from './browser.ts';
import { formFields } from './form.ts';
import { ownFormsOnly } from './origin.ts';
import { toolCards, toolRunner } from './tools.ts';
import { fileForm, fileOf } from './upload.ts';

type Context = RouterContext<ApiState>;
type Handler = (request: ViewerRequest) => PageAnswer | Promise<PageAnswer>;

/** A handler of a route, and the operations that it may call. */
interface Step {
  readonly run: Handler;
  readonly calls: readonly OperationName[];
  readonly access: ConsoleRoute['access'];
}

export interface ConsoleDoor {
  readonly environment: Environment;
  readonly operations: OperationTable;
  readonly log: Log;
  readonly clock: () => Date;
  readonly address: AddressRules;
  readonly isHttps: boolean;
}

/** The door with what is made once for all of its requests. */
interface Opened extends ConsoleDoor {
  readonly bounds: Bounds;
  readonly cards: ReturnType<typeof toolCards>;
}

const FOR_EVER = 'public, max-age=31536000, immutable';
const SIGN_IN = '/sign-in';

const viewerOf = ({ state }: Context): ViewRequest['viewer'] =>
  state.caller === null ? null : { caller: state.caller };

const tokenOf = ({ state }: Context): string =>
  state.formCookie === undefined ? '' : csrfToken(state.formCookie);

const around = (ctx: Context) => ({
  viewer: viewerOf(ctx),
  path: ctx.path,
  csrf: tokenOf(ctx),
});

const problemOf = ({ code, fields, retryAfterSeconds }: Refusal): Problem => ({
  code,
  fields: fields ?? [],
  retryAfterSeconds,
});

function pageRequest(
  ctx: Context,
  door: Opened,
  calls: Step['calls'],
  problem: Problem | null,
): ViewRequest {
  const context = requestContext(ctx, door, null);
  const form = Object.entries(ctx.state.body).filter(([, value]) => typeof value === 'string');
  return {
    ...around(ctx),
    params: ctx.params,
    query: new URLSearchParams(ctx.querystring),
    form: Object.fromEntries(form) as Record<string, string>,
    file: fileOf(ctx.state),
    now: context.now,
    problem,
    // The table has the operation of the registry under its name, or one that a test put there.
    call: async <N extends OperationName>(name: N, input: unknown) => {
      if (!calls.includes(name)) throw new TypeError('a page calls what its route declares');
      return (await execute(door.operations[name], context, input)) as OutputOf<N>;
    },
    tools: () => (ctx.state.caller === null ? [] : door.cards(ctx.state.caller)),
    runTool: toolRunner(ctx, context, door, door.bounds, calls),
  };
}

/** The page to sign in on, which leads back to a page that was opened; a form is not sent again. */
function toSignIn(ctx: Context): PageAnswer {
  const isForm = ctx.method !== 'GET' && ctx.method !== 'HEAD';
  const back = isForm ? '' : `?${new URLSearchParams({ return_to: ctx.url }).toString()}`;
  const page = ctx.path.startsWith('/governance') ? `/governance${SIGN_IN}` : SIGN_IN;
  return { to: page + back };
}

/** Sends a page for whatever goes wrong. Hidden and missing are one page. */
function pagesForProblems(door: ConsoleDoor, writing: Writing): ApiMiddleware {
  return async function pagesForProblems(ctx, next) {
    try {
      await next();
    } catch (error) {
      if (clientIsGone(ctx)) return;
      const refusal = refusalFor(error, ctx, door.log);
      if (refusal.retryAfterSeconds !== null) {
        ctx.set('Retry-After', String(refusal.retryAfterSeconds));
      }
      const hasEnded = refusal.code === 'unauthorized';
      const page = hasEnded ? toSignIn(ctx as Context) : problemPage(problemOf(refusal));
      sendAnswer(ctx, page, around(ctx as Context), writing, STATUS_BY_CODE[refusal.code]);
    }
  };
}

/** Shows the page of a form that was refused again; throws what is no matter of the form. */
async function shownAgain(
  ctx: Context,
  door: Opened,
  again: Step | null,
  error: unknown,
): Promise<{ readonly answer: PageAnswer; readonly status: number }> {
  if (again === null || !(error instanceof Refusal) || error.code === 'not_found') throw error;
  // Of the sign-in it says that the password is wrong, of every other form that the session has ended.
  if (error.code === 'unauthorized' && again.access !== 'public') throw error;
  ctx.state.refused = error.code;
  const request = pageRequest(ctx, door, again.calls, problemOf(error));
  if (error.retryAfterSeconds !== null) ctx.set('Retry-After', String(error.retryAfterSeconds));
  const answer = await again.run(request as ViewerRequest);
  return { answer, status: STATUS_BY_CODE[error.code] };
}

function endpoint({ calls, run }: Step, again: Step | null, door: Opened, writing: Writing) {
  return async function page(ctx: Context): Promise<void> {
    const request = pageRequest(ctx, door, calls, null);
    try {
      sendAnswer(ctx, await run(request as ViewerRequest), around(ctx), writing);
    } catch (error) {
      const { answer, status } = await shownAgain(ctx, door, again, error);
      sendAnswer(ctx, answer, around(ctx), writing, status);
    }
  };
}

/** Shows the page of a form again whose file was refused while it came, once its token was found good. */
function fileRefusedBeside(again: Step | null, door: Opened, writing: Writing): ApiMiddleware {
  return async function fileRefusedBeside(ctx, next) {
    try {
      await next();
    } catch (error) {
      if (ctx.state.isFormAdmitted !== true) throw error;
      const { answer, status } = await shownAgain(ctx as Context, door, again, error);
      sendAnswer(ctx, answer, around(ctx as Context), writing, status);
    }
  };
}

/** What reads the form of a route and looks whether it is one of ours. */
function formReaders(
  fileFields: ConsoleRoute['fileFields'],
  again: Step | null,
  door: Opened,
  writing: Writing,
): ApiMiddleware[] {
  const read =
    fileFields === undefined
      ? [formFields(door.bounds)]
      : [fileRefusedBeside(again, door, writing), ...fileForm(fileFields, door.bounds)];
  return [...read, ownTokenOnly, authenticationAgain];
}

function signedInOnly(writing: Writing): ApiMiddleware {
  return async function signedInOnly(ctx, next) {
    if (ctx.state.caller !== null) return next();
    sendAnswer(ctx, toSignIn(ctx as Context), around(ctx as Context), writing);
  };
}

function guards(
  route: ConsoleRoute,
  door: ConsoleDoor,
  bounds: Bounds,
  writing: Writing,
): ApiMiddleware[] {
  return [
    pagesForProblems(door, writing),
    ownFormsOnly(door.address),
    browserSession(route.access, door.environment, writing.cookies),
    ...(route.access === 'public' ? [] : [signedInOnly(writing)]),
    ...(bounds.limit === null ? [] : [rateLimit(bounds.limit)]),
    requestPace(bounds.requests, UNITS_OF_REQUEST.usual),
  ];
}

function serveAssets(router: Router<ApiState>, { assets }: Writing): void {
  for (const { address, bytes, type } of Object.values(assets)) {
    router.get(address, (ctx) => {
      ctx.set('Cache-Control', FOR_EVER);
      ctx.type = type;
      ctx.body = bytes;
    });
  }
  router.get(`${ASSETS_PATH}/*rest`, () => {
    throw new Refusal('not_found');
  });
}

/** Shows the answer to a method that a path of the console does not have as a page. Stands before what gives it. */
function pagesForMethods(problems: ApiMiddleware): AfterRouter {
  const paths = new Set(CONSOLE_ROUTES.map(({ path }) => path));
  return async function pagesForMethods(ctx, next) {
    const isOurs = (ctx.matched ?? []).some(({ path }) => paths.has(String(path)));
    await (isOurs ? problems(ctx, next) : next());
  };
}

/**
 * Adds the pages of the console to `router`, and answers what is to stand after it. Bodies, requests and accounts are
 * bounded with those of the other doors.
 */
export function serveConsole(
  router: Router<ApiState>,
  of: ConsoleDoor,
  bounds: Bounds,
): AfterRouter {
  const door: Opened = { ...of, bounds, cards: toolCards(of.operations) };
  const writing: Writing = { assets: loadAssets(), cookies: { isHttps: door.isHttps } };
  serveAssets(router, writing);
  for (const route of CONSOLE_ROUTES) {
    const { access, again, calls, fileFields, path, show, take } = route;
    const before = guards(route, door, bounds, writing);
    // A route for people is asked with a viewer only (see `guards`); one for everybody takes any request.
    const step = (run: unknown, may: Step['calls']): Step => ({
      run: run as Handler,
      calls: may,
      access,
    });
    const shown = again === undefined ? null : step(again.show, again.calls);
    if (show !== undefined) {
      router.get(path, ...before, endpoint(step(show, calls), null, door, writing));
    }
    if (take === undefined) continue;
    const form = formReaders(fileFields, shown, door, writing);
    const taken = endpoint(step(take, calls), shown, door, writing);
    router.register(path, [...methodsOf(path)], [...before, ...form, taken]);
  }
  return pagesForMethods(pagesForProblems(door, writing));
}
