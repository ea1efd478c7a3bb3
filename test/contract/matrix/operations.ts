/** Who may call each operation, whatever it is asked: the first table that a caller meets. What it then refuses, routes say. */
import { ROUTES } from '../../../api/rest/routes.ts';
import { operations } from '../../../operations/registry.ts';
import { ROUTE_TABLES } from './routes/index.ts';
import { NO_ADMIN, NO_CREDENTIAL, NO_PERSON, type RouteTable } from './routes/route-table.ts';
import type { Sentence } from './sentence.ts';
import type { Table } from './table.ts';

export type Who =
  | 'anybody'
  | 'any identity'
  | 'people'
  | 'people and who is erased'
  | 'account-admins'
  | 'the command line';

export interface OperationRow {
  readonly who: Who;
  readonly from: Sentence;
}

const rows = (who: Who, from: Sentence, ids: readonly string[]) =>
  ids.map((id): [string, OperationRow] => [id, { who, from }]);

/**
 * By the id of the operation: those without a route, and those that let in somebody beside the callers that the table of
 * their route lets in.
 */
export const WITHOUT_ROUTE: ReadonlyMap<string, OperationRow> = new Map([
  ...rows('anybody', 'interface 4: browser routes, sign-in with auth none', ['session.start']),
  ...rows('people', 'interface 4: browser routes, sign-out with a session', ['session.end']),
  ...rows('people', 'decisions 16: a form on /console/me, the old password asked', [
    'self.change_password',
  ]),
  ...rows('people', 'interface 4: browser routes, human session', [
    'overview.read',
    'self.questions',
    'self.leave_question',
    'knowledge.read',
    'reviews.outcomes',
    'scope.readable',
  ]),
  ...rows('people', 'interface 4: browser routes, /console/sources and /console/tools', [
    'documents.list',
    'sessions.list',
    'observations.list',
    'session.tool_runs',
    'session.note_tool_run',
  ]),
  ...rows('people', 'interface 4: browser routes, scopes and graph, human session', [
    'scope.directory',
    'scope.read',
    'scope.graph',
  ]),
  ...rows('any identity', 'decisions 17: self, an agent only tightens how often it asks', [
    'validation.set_ask_preference',
  ]),
  ...rows('people and who is erased', 'decisions 8: the requesting credential keeps access', [
    'self.erasure',
  ]),
  ...rows('people', 'decisions 14: skill cards, written by curators with a password', [
    'skills.check',
  ]),
  ...rows('account-admins', 'interface 4: browser routes, /console/operations for account-admins', [
    'operations.settings',
  ]),
  ...rows('the command line', 'decisions 13: commands work in process as actor cli', [
    'account.create',
    'account.export',
    'account.import',
    'account.list',
    'audit.verify',
    'circle.add',
    'circle.create',
    'circle.delete',
    'circle.list',
    'circle.remove',
    'circle.show',
    'costs.show',
    'embeddings.list',
    'embeddings.migrate',
    'embeddings.retire',
    'governance.forgetting',
    'governance.preset',
    'governance.remove_rule',
    'governance.rules',
    'governance.set_rule',
    'grant.add',
    'grant.change',
    'grant.list',
    'grant.remove',
    'identity.bootstrap',
    'index.rebuild',
    'index.verify',
    'key.create',
    'key.list',
    'key.revoke',
    'key.rotate',
    'model.check',
    'peer.list',
    'retention.run',
    'retrieval_profile.list',
    'retrieval_profile.remove',
    'retrieval_profile.set',
    'scope.link',
    'scope.links',
    'scope.unlink',
    'unit.explain',
    'skill.list',
    'skill.publish',
    'skill.retire',
    'skill.show',
    'user.create',
    'user.disable',
    'user.enable',
    'user.list',
    'user.password',
    'user.remove',
  ]),
  ...rows('the command line', 'decisions 13: peer erase, by an admin', [
    'erasure.read',
    'peer.erase',
  ]),
  ...rows('the command line', 'decisions 28: starts closed, repeats', ['promises.repeat']),
  ...rows('the command line', 'decisions 28: restored keys stay suspended until', ['key.resume']),
  ...rows('the command line', 'decisions 28: indexes are rebuilt, audit verified', [
    'document.verify',
    'restore.check',
    'restore.finish',
  ]),
  // What an account does with secrets that it is sent is set where the account is made.
  ...rows('the command line', 'decisions 13: commands work in process as actor cli', [
    'governance.secrets',
  ]),
  ...rows('the command line', 'decisions 28: governance consent, audited', ['governance.consent']),
]);

/** Whom the rows of a route let in, whatever the request asks. */
function whoOf({ rows: cases }: Pick<RouteTable, 'rows'>): Who {
  if (cases.includes(NO_PERSON)) return 'people';
  if (cases.includes(NO_ADMIN)) return 'account-admins';
  return cases.includes(NO_CREDENTIAL) ? 'any identity' : 'anybody';
}

/** What the table of a route says of its operation. Its last row says what it is for. */
function fromRoute({ method, operation, path }: (typeof ROUTES)[number]): [string, OperationRow][] {
  const table = ROUTE_TABLES.find(({ route }) => route === `${method} ${path}`);
  const from = table?.rows.at(-1)?.from;
  return table === undefined || from === undefined
    ? []
    : [[operations[operation].id, { who: whoOf(table), from }]];
}

export const OF_ROUTES: ReadonlyMap<string, OperationRow> = new Map(ROUTES.flatMap(fromRoute));

/** Of each operation. */
export const OPERATIONS: ReadonlyMap<string, OperationRow> = new Map([
  ...OF_ROUTES,
  ...WITHOUT_ROUTE,
]);

/** What the pipeline says to a caller, before the operation runs. */
export const AT_THE_DOOR: Table<string> = [
  {
    when: { who: ['anybody', 'the command line'] },
    answer: 'let in',
    from: 'interface 4: route table, auth none',
  },
  {
    when: { credential: ['none'] },
    answer: 'unauthorized',
    from: 'decisions 2: no or bad credential',
  },
  {
    when: { who: ['people', 'people and who is erased'], kind: ['machine'] },
    answer: 'human_identity_required',
    from: 'decisions 2: an API key on a human route',
  },
  {
    when: { who: ['account-admins'], isAdmin: ['no'] },
    answer: 'forbidden',
    from: 'decisions 3: operator routes need an effective account-admin',
  },
  { when: {}, answer: 'let in', from: 'interface 4: route table' },
];
