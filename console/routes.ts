/** Every page of the console. One line each; the order does not matter but for the last two. */
import { Refusal } from '../domain/errors.ts';
import type { ConsoleRoute } from './design/page.ts';
import { CIRCLE_ROUTES } from './pages/circles/routes.ts';
import { FORGETTING_ROUTES } from './pages/forgetting/routes.ts';
import { GRAPH_ROUTE } from './pages/graph/page.ts';
import { GOVERNANCE_ROUTES } from './pages/governance/routes.ts';
import { KNOWLEDGE_ROUTE } from './pages/knowledge/page.ts';
import { ME_ROUTES } from './pages/me/routes.ts';
import { OPERATIONS_ROUTES } from './pages/operations/page.ts';
import { OVERVIEW_ROUTE } from './pages/overview/page.ts';
import { SCOPES_ROUTE } from './pages/scopes/page.ts';
import { SIGN_IN_ROUTES } from './pages/sign-in/page.ts';
import { SIGN_OUT_ROUTE } from './pages/sign-in/sign-out.ts';
import { SOURCES_ROUTES } from './pages/sources/routes.ts';
import { SKILL_ROUTES } from './pages/skills/routes.ts';
import { STATEMENT_ROUTES } from './pages/statement/routes.ts';
import { TOOLS_ROUTES } from './pages/tools/routes.ts';

const missing = (): never => {
  throw new Refusal('not_found');
};

/** The methods by which a form is sent to the path; a script signs out with `DELETE`. */
export function methodsOf(path: string): readonly string[] {
  return path === SIGN_OUT_ROUTE.path ? ['POST', 'DELETE'] : ['POST'];
}

export const CONSOLE_ROUTES: readonly ConsoleRoute[] = [
  { path: '/', access: 'public', calls: [], show: () => ({ to: '/console' }) },
  ...SIGN_IN_ROUTES,
  SIGN_OUT_ROUTE,
  OVERVIEW_ROUTE,
  KNOWLEDGE_ROUTE,
  ...STATEMENT_ROUTES,
  ...SOURCES_ROUTES,
  ...TOOLS_ROUTES,
  SCOPES_ROUTE,
  GRAPH_ROUTE,
  ...ME_ROUTES,
  ...FORGETTING_ROUTES,
  ...GOVERNANCE_ROUTES,
  ...OPERATIONS_ROUTES,
  ...SKILL_ROUTES,
  ...CIRCLE_ROUTES,
  // Addresses without a page.
  { path: '/console/*rest', access: 'people', calls: [], show: missing },
  { path: '/governance/*rest', access: 'people', calls: [], show: missing },
];
