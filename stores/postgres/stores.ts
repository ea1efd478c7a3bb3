/** Every store of an account, on one transaction; stores on the pool (`pool-store.ts`) are made where they are used. */
import { AudiencesStore } from './audiences/audiences.store.ts';
import { AuditChainStore } from './audit/audit-chain.store.ts';
import { AuditStore } from './audit/audit.store.ts';
import { DirtyMarksStore } from './indexes/dirty-marks.store.ts';
import { FrequencyStore } from './retrieval/frequencies.store.ts';
import { CirclesStore } from './circles/circles.store.ts';
import { ChunksStore } from './documents/chunks.store.ts';
import { DocumentsStore } from './documents/documents.store.ts';
import { EntitiesStore } from './entities/entities.store.ts';
import { MentionsStore } from './entities/mentions.store.ts';
import { DocumentListStore } from './documents/list.store.ts';
import { DocumentStatusStore } from './documents/status.store.ts';
import { DocumentUploadsStore } from './documents/uploads.store.ts';
import { ErasuresStore } from './erasure/requests.store.ts';
import { HoldsStore } from './forgetting/holds.store.ts';
import { ServedTextsStore } from './forgetting/served-texts.store.ts';
import { ExplainedMessagesStore } from './explain/messages.store.ts';
import { ExplainedStatementsStore } from './explain/statements.store.ts';
import { ExtractionBudgetsStore } from './extraction/budgets.store.ts';
import { ExtractionEvidenceStore } from './extraction/evidence.store.ts';
import { GateRulesStore } from './governance/gate-rules.store.ts';
import { HeldAnchorsStore } from './observations/held-anchors.store.ts';
import { IdempotencyStore } from './idempotency.store.ts';
import { AccountsStore } from './identity/accounts.store.ts';
import { AdminsStore } from './identity/admins.store.ts';
import { AccountCallersStore } from './identity/caller.store.ts';
import { CredentialsStore } from './identity/credentials.store.ts';
import { GrantsStore } from './identity/grants.store.ts';
import { LoginsStore } from './identity/logins.store.ts';
import { PeersStore } from './identity/peers.store.ts';
import { BrowserSessionsStore } from './identity/browser-sessions.store.ts';
import { ConsentsStore } from './knowledge/consents.store.ts';
import { EvidenceDetailsStore } from './knowledge/evidence-details.store.ts';
import { DeskStore } from './knowledge/desk.store.ts';
import { LineageStore } from './knowledge/lineage.store.ts';
import { ProfileStore } from './knowledge/profile.store.ts';
import { KnowledgeStore } from './knowledge/rows.store.ts';
import { MarkHoldsStore } from './indexes/mark-holds.store.ts';
import { MessagesStore } from './observations/messages.store.ts';
import { NeighboursStore } from './indexes/neighbours.store.ts';
import { ArchiveStore } from './portability/archive.store.ts';
import { ArchiveRowsStore } from './portability/rows.store.ts';
import type { Queryable } from './pool.ts';
import { PromisesStore } from './promises.store.ts';
import { OverviewStore } from './knowledge/overview.store.ts';
import { AnswersStore } from './questions/answers.store.ts';
import { AskingStore } from './questions/asking.store.ts';
import { AskPreferencesStore } from './questions/preferences.store.ts';
import { ContextCardsStore } from './context-cards/context-cards.store.ts';
import { ContextCardSourcesStore } from './context-cards/sources.store.ts';
import { ContextCardWorkStore } from './context-cards/work.store.ts';
import { ComparedStatementsStore } from './reconcile/compared-statements.store.ts';
import { RequeueStore } from './observations/requeue.store.ts';
import { CandidatesStore } from './retrieval/candidates.store.ts';
import { ReviewWordsStore } from './knowledge/review-words.store.ts';
import { ReadershipStore } from './knowledge/readership.store.ts';
import { ReviewDeskStore } from './knowledge/review-desk.store.ts';
import { ReviewSourcesStore } from './knowledge/review-sources.store.ts';
import { ReviewsStore } from './knowledge/reviews.store.ts';
import { ScheduledDecisionsStore } from './knowledge/scheduled-decisions.store.ts';
import { RetrievalProfilesStore } from './retrieval/profiles.store.ts';
import { RunsStore } from './runs/runs.store.ts';
import { ScopeDirectoryStore } from './scopes/directory.store.ts';
import { ScopeLinksStore } from './scopes/links.store.ts';
import { ScopesStore } from './scopes/scopes.store.ts';
import { SessionListStore } from './observations/session-list.store.ts';
import { SkillCardsStore } from './skills/cards.store.ts';
import { SkillMatchesStore } from './skills/matches.store.ts';
import { SpaceWalkStore } from './indexes/space-walk.store.ts';
import { SourceMessagesStore } from './observations/source-messages.store.ts';
import { StatementGraphStore } from './knowledge/graph.store.ts';
import { StatementPageStore } from './knowledge/statement-page.store.ts';
import { StatementSourcesStore } from './indexes/statement-sources.store.ts';
import { TurnsStore } from './observations/turns.store.ts';
import { UnitsStore } from './indexes/units.store.ts';
import { TokenDaysStore } from './models/token-days.store.ts';
import { CostsStore } from './models/costs.store.ts';
import { AccountCircuitsStore } from './models/account-circuits.store.ts';

/** The stores of the curators' desk. */
function createDeskStores(...of: readonly [Queryable, string]) {
  return {
    desk: new DeskStore(...of),
    readership: new ReadershipStore(...of),
    reviewDesk: new ReviewDeskStore(...of),
    reviewSources: new ReviewSourcesStore(...of),
    reviews: new ReviewsStore(...of),
    reviewWords: new ReviewWordsStore(...of),
    scheduledDecisions: new ScheduledDecisionsStore(...of),
  };
}

/** The stores of the audit log and of archives. */
function createArchiveStores(...of: readonly [Queryable, string]) {
  return {
    archive: new ArchiveStore(...of),
    archiveRows: new ArchiveRowsStore(...of),
    audit: new AuditStore(...of),
    auditChains: new AuditChainStore(of[0]),
  };
}

/** What calls to models cost and may cost. */
function createModelStores(...of: readonly [Queryable, string]) {
  return {
    circuits: new AccountCircuitsStore(...of),
    costs: new CostsStore(...of),
    tokenDays: new TokenDaysStore(...of),
    holds: new HoldsStore(...of),
    servedTexts: new ServedTextsStore(...of),
  };
}

/** The stores of the account, all on the transaction `tx`, which must run under the account (see `inAccount`). */
export function createStores(tx: Queryable, accountId: string) {
  const of = [tx, accountId] as const;
  return {
    ...createDeskStores(...of),
    ...createArchiveStores(...of),
    ...createModelStores(...of),
    accounts: new AccountsStore(...of),
    admins: new AdminsStore(...of),
    answers: new AnswersStore(...of),
    asking: new AskingStore(...of),
    askPreferences: new AskPreferencesStore(...of),
    audiences: new AudiencesStore(...of),
    callers: new AccountCallersStore(...of),
    candidates: new CandidatesStore(...of),
    chunks: new ChunksStore(...of),
    circles: new CirclesStore(...of),
    consents: new ConsentsStore(...of),
    credentials: new CredentialsStore(...of),
    dirtyMarks: new DirtyMarksStore(...of),
    documents: new DocumentsStore(...of),
    uploads: new DocumentUploadsStore(...of),
    documentList: new DocumentListStore(...of),
    documentStatus: new DocumentStatusStore(...of),
    entities: new EntitiesStore(...of),
    erasures: new ErasuresStore(...of),
    evidenceDetails: new EvidenceDetailsStore(...of),
    explainedMessages: new ExplainedMessagesStore(...of),
    explainedStatements: new ExplainedStatementsStore(...of),
    extractionBudgets: new ExtractionBudgetsStore(...of),
    extractionEvidence: new ExtractionEvidenceStore(...of),
    frequencies: new FrequencyStore(...of),
    gateRules: new GateRulesStore(...of),
    grants: new GrantsStore(...of),
    heldAnchors: new HeldAnchorsStore(...of),
    idempotency: new IdempotencyStore(...of),
    knowledge: new KnowledgeStore(...of),
    lineage: new LineageStore(...of),
    logins: new LoginsStore(...of),
    markHolds: new MarkHoldsStore(...of),
    mentions: new MentionsStore(...of),
    messages: new MessagesStore(...of),
    neighbours: new NeighboursStore(...of),
    overview: new OverviewStore(...of),
    peers: new PeersStore(...of),
    profiles: new ProfileStore(...of),
    promises: new PromisesStore(...of),
    comparedStatements: new ComparedStatementsStore(...of),
    contextCards: new ContextCardsStore(...of),
    contextCardSources: new ContextCardSourcesStore(...of),
    contextCardWork: new ContextCardWorkStore(...of),
    requeue: new RequeueStore(...of),
    retrievalProfiles: new RetrievalProfilesStore(...of),
    runs: new RunsStore(...of),
    scopeDirectory: new ScopeDirectoryStore(...of),
    scopeLinks: new ScopeLinksStore(...of),
    scopes: new ScopesStore(...of),
    browserSessions: new BrowserSessionsStore(...of),
    sessionList: new SessionListStore(...of),
    skillCards: new SkillCardsStore(...of),
    skillMatches: new SkillMatchesStore(...of),
    spaceWalk: new SpaceWalkStore(...of),
    sourceMessages: new SourceMessagesStore(...of),
    statementGraph: new StatementGraphStore(...of),
    statementPage: new StatementPageStore(...of),
    statementSources: new StatementSourcesStore(...of),
    turns: new TurnsStore(...of),
    units: new UnitsStore(...of),
  };
}

export type Stores = ReturnType<typeof createStores>;
