/** Every operation that a door may offer, by the name that its file exports. */
import type { z } from 'zod';
import type { Operation } from './operation.ts';
import { readAccountSettings } from './account/settings.ts';
import { liftHold, upholdHold } from './forgetting/decide-hold.ts';
import { listHolds, readHold } from './forgetting/holds.ts';
import { deleteCircle, listCircles, putCircle, readCircle } from './circles/circles.ts';
import { readDocumentStatus } from './documents/status.ts';
import { submitDocument } from './documents/submit.ts';
import { withdrawDocument } from './documents/withdraw.ts';
import { registerExtractionBudget } from './extraction/budget.ts';
import { readCosts } from './models/costs.ts';
import { readExtractionEvidence } from './extraction/evidence.ts';
import { requeueExtraction } from './extraction/requeue.ts';
import { promoteKnowledge } from './governance/promote.ts';
import { changeGateRules, readGateRules } from './governance/rules.ts';
import { readHealth } from './health/read-health.ts';
import { readReadiness } from './health/read-readiness.ts';
import { changeOwnPassword } from './identity/own-password.ts';
import { endBrowserSession, startBrowserSession } from './identity/browser-sessions.ts';
import { signIn } from './identity/sign-in.ts';
import { noteToolRun, readToolRuns } from './identity/tool-runs.ts';
import { ingestBatch } from './observations/ingest-batch.ts';
import { ingestObservation } from './observations/ingest.ts';
import { readIngestStatus } from './observations/status.ts';
import { setOwnAskPreference, tightenAskPreference } from './questions/preference.ts';
import { resolveValidation } from './questions/resolve.ts';
import { readContext } from './retrieval/context.ts';
import { queryKnowledge } from './retrieval/knowledge.ts';
import { readStatement } from './retrieval/statement.ts';
import { readLineage } from './retrieval/lineage.ts';
import { ask } from './retrieval/ask.ts';
import { search } from './retrieval/search.ts';
import { searchSources } from './retrieval/source-search.ts';
import { stableProfile } from './retrieval/stable-profile.ts';
import { approveReview } from './reviews/approve.ts';
import { decideReviews } from './reviews/bulk.ts';
import { deferReview } from './reviews/defer.ts';
import { editReview } from './reviews/edit.ts';
import { listReviews } from './reviews/list.ts';
import { mergeReview } from './reviews/merge.ts';
import { openReview } from './reviews/open.ts';
import { readOutcomes } from './reviews/outcomes.ts';
import { previewReviews } from './reviews/preview.ts';
import { readReview } from './reviews/read.ts';
import { rejectReview } from './reviews/reject.ts';
import { undoReview } from './reviews/undo.ts';
import { summarizeReviews } from './reviews/summary.ts';
import { requestReconcile } from './runs/reconcile.ts';
import { confirmOwnKnowledge } from './self/confirm.ts';
import { contestOwnKnowledge } from './self/contest.ts';
import { listOwnConsents } from './self/consents.ts';
import { decideOwnConsent } from './self/decide-consent.ts';
import { eraseSelf } from './erasure/erase-self.ts';
import { readErasure } from './erasure/read-own.ts';
import { listOwnKnowledge } from './self/knowledge.ts';
import { leaveOwnQuestion, listOwnQuestions } from './self/questions.ts';
import { redactOwnKnowledge } from './self/redact.ts';
import { withdrawOwnWord } from './self/withdraw.ts';
import { listScopes, readScope } from './scopes/directory.ts';
import { readScopeGraph } from './scopes/graph.ts';
import { readOverview } from './scopes/overview.ts';
import { listReadableScopes } from './scopes/readable.ts';
import {
  listSkillCards,
  publishSkillCard,
  readSkillCard,
  retireSkillCard,
} from './skills/cards.ts';
import { checkSkillCard } from './skills/check-card.ts';
import { checkReadiness } from './skills/readiness.ts';
import { listDocuments } from './sources/documents.ts';
import { listObservations } from './sources/observations.ts';
import { listSessions } from './sources/sessions.ts';

export const operations = {
  readHealth,
  readReadiness,
  signIn,
  startBrowserSession,
  endBrowserSession,
  changeOwnPassword,
  readToolRuns,
  noteToolRun,
  ingestObservation,
  ingestBatch,
  readIngestStatus,
  submitDocument,
  readDocumentStatus,
  withdrawDocument,
  listDocuments,
  listSessions,
  listObservations,
  search,
  ask,
  searchSources,
  stableProfile,
  readContext,
  readLineage,
  queryKnowledge,
  readStatement,
  readOverview,
  listReadableScopes,
  listScopes,
  readScopeGraph,
  readScope,
  requestReconcile,
  requeueExtraction,
  registerExtractionBudget,
  readCosts,
  readExtractionEvidence,
  readGateRules,
  changeGateRules,
  listOwnKnowledge,
  confirmOwnKnowledge,
  contestOwnKnowledge,
  redactOwnKnowledge,
  withdrawOwnWord,
  listOwnConsents,
  decideOwnConsent,
  listOwnQuestions,
  leaveOwnQuestion,
  setOwnAskPreference,
  tightenAskPreference,
  resolveValidation,
  eraseSelf,
  readErasure,
  listReviews,
  readReview,
  readOutcomes,
  approveReview,
  rejectReview,
  previewReviews,
  summarizeReviews,
  deferReview,
  editReview,
  mergeReview,
  decideReviews,
  openReview,
  undoReview,
  promoteKnowledge,
  listCircles,
  readCircle,
  putCircle,
  deleteCircle,
  listHolds,
  readHold,
  upholdHold,
  liftHold,
  checkReadiness,
  checkSkillCard,
  publishSkillCard,
  listSkillCards,
  readSkillCard,
  retireSkillCard,
  readAccountSettings,
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof operations;

/** The registry as doors see it: an operation for every name. */
export type OperationTable = Readonly<Record<OperationName, Operation>>;

/** The output of the operation of that name. */
export type OutputOf<N extends OperationName> = z.output<(typeof operations)[N]['output']>;
