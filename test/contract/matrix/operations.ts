/** Who may call each operation, whatever it is asked: the first table that a caller meets. What it then refuses, routes say. */
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

/** By the id of the operation. */
export const OPERATIONS: ReadonlyMap<string, OperationRow> = new Map([
  ...rows('anybody', 'interface 4: route table, auth none', [
    'health.read',
    'readiness.read',
    'identity.sign_in',
  ]),
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
  ...rows('any identity', 'interface 4: route table, any identity', [
    'observation.ingest',
    'observation.ingest_batch',
    'observation.status',
    'memory.search',
    'memory.ask',
    'memory.source_search',
    'memory.lineage',
    'memory.stable_profile',
    'memory.context',
    'skills.readiness',
    'knowledge.query',
  ]),
  ...rows('any identity', 'decisions 11: documents, API keys with member too', [
    'document.submit',
    'document.status',
    'document.withdraw',
  ]),
  ...rows('people', 'interface 4: route table, human only', [
    'self.knowledge',
    'self.contest',
    'self.redact',
    'self.erase',
  ]),
  ...rows('people', 'decisions 17: self, beside those of the interface', [
    'self.confirm',
    'self.consents',
    'self.decide_consent',
    'self.ask_preference',
  ]),
  ...rows('any identity', 'decisions 17: self, validations, whoever it was delivered to', [
    'validation.resolve',
  ]),
  ...rows('any identity', 'decisions 17: self, an agent only tightens how often it asks', [
    'validation.set_ask_preference',
  ]),
  ...rows('people and who is erased', 'decisions 8: the requesting credential keeps access', [
    'self.erasure',
  ]),
  ...rows('people', 'decisions 17: routes, people with a password', [
    'reviews.list',
    'reviews.read',
    'reviews.approve',
    'reviews.reject',
    'reviews.edit',
    'reviews.merge',
    'reviews.defer',
    'reviews.bulk',
    'knowledge.promote',
    'governance.read_rules',
    'governance.change_rules',
  ]),
  ...rows('people', 'decisions 14: skill cards, written by curators with a password', [
    'skills.check',
    'skills.publish',
    'skills.list',
    'skills.read',
    'skills.retire',
  ]),
  ...rows('account-admins', 'interface 4: route table, account-admin', [
    'operations.extraction_evidence',
    'operations.extraction_budget',
    'operations.reconcile',
    'operations.requeue',
  ]),
  ...rows('account-admins', 'interface 4: browser routes, /console/operations for account-admins', [
    'operations.usage',
    'operations.settings',
  ]),
  ...rows('the command line', 'decisions 13: commands work in process as actor cli', [
    'account.create',
    'account.list',
    'audit.verify',
    'embeddings.list',
    'embeddings.migrate',
    'embeddings.retire',
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
  // What an account does with secrets that it is sent is set where the account is made.
  ...rows('the command line', 'decisions 13: commands work in process as actor cli', [
    'governance.secrets',
  ]),
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
